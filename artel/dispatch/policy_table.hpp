#pragma once

#include <span>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_entry.hpp"  // IWYU pragma: export

namespace artel::dispatch {

/// Every policy that can be asked for by name, with its parameters: the one place where they are
/// listed.
[[nodiscard]] std::span<const PolicyEntry> policy_table();

/// make_policy("jsq", {{"d", 3.0}}).
///
/// Errors: unknown policy, unknown parameter (each with the nearest name and all that are allowed),
/// a value of the wrong type or out of range (with what is allowed), those of load_policy_plugin().
/// `where` is the parameter's name; empty when it is the policy's name that is wrong.
[[nodiscard]] Result<Policy> make_policy(std::string_view name, const Parameters& parameters = {});

}  // namespace artel::dispatch
