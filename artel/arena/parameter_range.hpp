#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/scenario/policy_spec.hpp"

namespace artel::arena {

/// A policy of which one parameter is still open: "jsq(d=1..16)".
struct ParameterRange {
  std::string text;       ///< as it was given
  std::string parameter;  ///< "d"
  double low = 0;         ///< least value that is allowed; in seconds if it is a time
  double high = 0;        ///< greatest, likewise
  bool whole = false;     ///< both ends are whole numbers: so are all values
  bool time = false;      ///< both ends have a unit
};

/// Reads "closed_loop(beacon_every=10ms..1s; law=level)". Ends without a decimal point ("1..16")
/// mean whole numbers.
/// Errors: no range, or two; ends that are no numbers or times, or not in order; a policy that
/// takes no such values.
[[nodiscard]] Result<ParameterRange> parse_parameter_range(std::string_view text);

/// The value as the policy takes it: "4", "1.25", "0.05s"; four significant digits.
[[nodiscard]] std::string value_text(const ParameterRange& range, double value);

/// The policy with that value of the parameter; its label is the text that makes it.
/// Errors: those of parse_policy_spec.
[[nodiscard]] Result<scenario::PolicySpec> policy_at(const ParameterRange& range, double value);

/// The policy that leaves the parameter to itself. Errors: likewise.
[[nodiscard]] Result<scenario::PolicySpec> policy_without(const ParameterRange& range);

/// Up to `count` different values from `low` to `high`, both included, in order: each a factor
/// above the one before, or, where low is not above 0, a step.
/// Requires: low < high, 2 <= count.
[[nodiscard]] std::vector<double> spread(const ParameterRange& range, double low, double high,
                                         std::size_t count);

}  // namespace artel::arena
