#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

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

}  // namespace artel::dispatch
