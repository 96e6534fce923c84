#include "artel/report/detail/significant.hpp"

#include <cmath>

namespace artel::report::detail {

double significant(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int digits = 6 - static_cast<int>(std::ceil(std::log10(std::abs(value))));
  // Powers of ten beyond 10^22 are not exact; nothing on a page is that small.
  if (digits < 0) return std::round(value);
  const double power = std::pow(10, digits);
  return std::round(value * power) / power;
}

}  // namespace artel::report::detail
