#pragma once

#include <string>

#include "artel/lab/calibrate.hpp"
#include "artel/lab/calibrate_arrivals.hpp"

namespace artel::report {

/// What was found in the trace and how well the fits fit, for the terminal.
[[nodiscard]] std::string calibration_text(const lab::Calibration& calibration);

/// The same as JSON (schema artel.calibrate/1).
[[nodiscard]] std::string calibration_json(const lab::Calibration& calibration);

/// "MMPP of 2 states, 105 and 980 per second": the fitted arrivals in words.
[[nodiscard]] std::string arrivals_text(const lab::ArrivalFit& fit);

}  // namespace artel::report
