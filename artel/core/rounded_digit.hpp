#pragma once

#include <cmath>

namespace artel {

/// Numbers that are worked out from what people write are right to so much: 0.29 * 100 is a little
/// less than 29 in doubles, 0.55 * 100 a little more than 55, ten times 0.1 a little less than 1.
inline constexpr double kRoundedDigit = 1e-9;

/// The greatest whole number that is not above `number`, up to a rounded digit: 29 of 0.29 * 100.
[[nodiscard]] inline double near_floor(double number) { return std::floor(number + kRoundedDigit); }

/// The least one that is not below it, up to a rounded digit: 55 of 0.55 * 100.
[[nodiscard]] inline double near_ceil(double number) { return std::ceil(number - kRoundedDigit); }

}  // namespace artel
