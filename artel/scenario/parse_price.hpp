#pragma once

#include <string_view>

#include "artel/core/error.hpp"

namespace artel::scenario {

/// Reads a price of one worker, "0.12/h", "3/d" or "0.12" (per hour), as an amount per hour; units
/// of time as in parse_duration. Errors: not a number, below 0, or not a unit of time; says what
/// was found and what is allowed.
[[nodiscard]] Result<double> parse_price(std::string_view text);

}  // namespace artel::scenario
