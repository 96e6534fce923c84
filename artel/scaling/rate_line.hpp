#pragma once

#include <cmath>

#include "artel/core/instant.hpp"

namespace artel::scaling {

/// A straight line through values over time, by least squares.
struct RateLine {
  double value = 0;        ///< at the moment that it was asked for
  double slope = 0;        ///< per second; 0: one moment only
  double slope_error = 0;  ///< standard error of the slope; 0 of fewer than three values
};

/// The line through readings that have `at` and `value`, as it is at that moment. The empty range
/// has the value 0. Cost: O(n).
template <class Readings>
[[nodiscard]] RateLine fit_rate_line(const Readings& readings, Instant at) {
  const auto count = static_cast<double>(readings.size());
  double x_mean = 0;
  double y_mean = 0;
  for (const auto& reading : readings) {
    x_mean += to_seconds(reading.at - at) / count;
    y_mean += reading.value / count;
  }
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (const auto& reading : readings) {
    const double x = to_seconds(reading.at - at) - x_mean;
    const double y = reading.value - y_mean;
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  RateLine line{.value = y_mean};
  if (!(xx > 0)) return line;
  line.value = y_mean - x_mean * xy / xx;
  line.slope = xy / xx;
  if (count > 2) {
    const double rest = yy - xy * line.slope;
    line.slope_error = rest > 0 ? std::sqrt(rest / (count - 2) / xx) : 0;
  }
  return line;
}

}  // namespace artel::scaling
