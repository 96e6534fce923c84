#include "artel/report/detail/figure_value.hpp"

#include <fmt/core.h>

#include <cmath>
#include <string>

#include "artel/core/instant.hpp"
#include "artel/predict/replay.hpp"

namespace artel::report::detail {

std::string figure_value(predict::Figure figure, double value) {
  if (!std::isfinite(value)) return "-";
  if (figure == predict::Figure::utilisation) return fmt::format("{:.1f}%", 100 * value);
  return format_duration(from_seconds(value));
}

std::string figure_title(predict::Figure figure) {
  std::string text(predict::name(figure));
  if (const auto line = text.find('_'); line != std::string::npos) text[line] = ' ';
  return text;
}

std::string error_text(double predicted, double measured) {
  const double error = predict::relative_error(predicted, measured);
  return std::isfinite(error) ? fmt::format("{:+.1f}%", 100 * error) : "-";
}

}  // namespace artel::report::detail
