#pragma once

#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/scenario/policy_spec.hpp"

namespace artel::scenario {

/// One common queue: workers have queues of bound 1 and any idle worker will do. Not a policy of
/// its own: least loaded with that bound.
inline constexpr std::string_view kCentral = "central";

/// The policy of that name; kCentral gives least loaded; nullptr when there is none.
[[nodiscard]] const dispatch::PolicyEntry* find_policy(std::string_view name);

/// The policy of "jsq(d=2)" or "central", under that text as its label, to be compared.
/// Errors: those of dispatch::split_policy and make_policy.
[[nodiscard]] Result<PolicySpec> parse_policy_spec(std::string_view text);

/// Every name that find_policy knows, kCentral first.
[[nodiscard]] std::vector<std::string_view> policy_names();

}  // namespace artel::scenario
