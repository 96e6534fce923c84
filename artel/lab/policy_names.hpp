#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "artel/dispatch/policy_table.hpp"

namespace artel::lab {

/// One common queue: workers have queues of bound 1 and any idle worker will do. Not a policy of
/// its own: least loaded with that bound.
inline constexpr std::string_view kCentral = "central";

/// The policy of that name, in snake case or with hyphens ("round_robin", "round-robin"); kCentral
/// gives least loaded; nullptr when there is none.
[[nodiscard]] const dispatch::PolicyEntry* find_policy(std::string_view name);

/// Every name that find_policy knows, in snake case, kCentral first.
[[nodiscard]] std::vector<std::string> policy_names();

/// The name as scenarios have it: hyphens become underscores.
[[nodiscard]] std::string snake_case(std::string_view name);

}  // namespace artel::lab
