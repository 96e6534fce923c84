#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {

/// A parameter as text files give it. Durations: seconds, or text with a unit ("200ms"); lists:
/// numbers, or text with commas ("100ms, 2s").
using ParameterValue = std::variant<double, std::string, std::vector<double>>;
using Parameters = std::map<std::string, ParameterValue, std::less<>>;

/// What there is to say of a policy's parameter.
struct ParameterEntry {
  std::string_view name;
  std::string_view allowed;   ///< "whole number, 1 to 64"
  std::string_view fallback;  ///< what holds when it is not given
  std::string_view meaning;   ///< a phrase for people
};

/// What there is to say of a policy.
struct PolicyEntry {
  std::string_view name;
  std::string_view meaning;                    ///< a phrase for people
  std::span<const ParameterEntry> parameters;  ///< all that it takes
  bool alone = true;                           ///< can be made without parameters
};

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
