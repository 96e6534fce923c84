#pragma once

#include <string>

#include "artel/predict/replay.hpp"

namespace artel::report::detail {

/// "12.3 ms", "74.1%"; "-": not measured.
[[nodiscard]] std::string figure_value(predict::Figure figure, double value);
/// "mean response".
[[nodiscard]] std::string figure_title(predict::Figure figure);
/// Of predicted against measured, "+1.4%"; "-": nothing was measured.
[[nodiscard]] std::string error_text(double predicted, double measured);

}  // namespace artel::report::detail
