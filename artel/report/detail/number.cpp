#include "artel/report/detail/number.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace artel::report::detail {

std::string number(double value) {
  if (!std::isfinite(value)) return "n/a";
  const double size = std::abs(value);
  const int before_point = size < 1 ? 1 : 1 + static_cast<int>(std::floor(std::log10(size)));
  return fmt::format("{:.{}f}", value, std::clamp(4 - before_point, 0, 3));
}

std::string figure_number(double value) {
  constexpr double kSmall = 0.1;
  if (value == 0) return "0";
  if (std::isfinite(value) && std::abs(value) < kSmall) return fmt::format("{:.4g}", value);
  return number(value);
}

std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

}  // namespace artel::report::detail
