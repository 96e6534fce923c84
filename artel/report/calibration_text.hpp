#pragma once

#include <string>

#include "artel/predict/arrival_fit.hpp"
#include "artel/predict/calibrate.hpp"

namespace artel::report {

/// What was found in the trace and how well the fits fit, for the terminal.
[[nodiscard]] std::string calibration_text(const predict::Calibration& calibration);

/// The same as JSON (schema artel.calibrate/1).
[[nodiscard]] std::string calibration_json(const predict::Calibration& calibration);

/// "MMPP of 2 states, 105 and 980 per second": the fitted arrivals in words.
[[nodiscard]] std::string arrivals_text(const predict::ArrivalFit& fit);

}  // namespace artel::report
