#pragma once

#include <string>

#include "artel/core/error.hpp"
#include "artel/predict/backtest.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/what_if.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::report {

/// What a trace says of the fleet as it is: how much came when, how long it took, how full it was.
/// A line per hour if it has several.
[[nodiscard]] std::string fleet_text(const trace::TaskTrace& trace,
                                     const predict::Calibration& calibration);

/// The same as a JSON object, for RecordedJson; with the distribution of service times, as recorded
/// and as fitted, in the shape of "tails" (docs/report.md).
[[nodiscard]] std::string fleet_json(const trace::TaskTrace& trace,
                                     const predict::Calibration& calibration);

/// How well the first part of a trace predicted the rest, and why not better; or why there is no
/// back-test.
[[nodiscard]] std::string backtest_text(const Result<predict::Backtest>& test);

/// The same as a JSON object, for RecordedJson: `no_answer` is null, or says why
/// there is no back-test.
[[nodiscard]] std::string backtest_json(const Result<predict::Backtest>& test);

/// As it was beside as it would have been.
[[nodiscard]] std::string what_if_table(const predict::WhatIf& what_if);

/// The same as JSON (schema artel.what-if/1).
[[nodiscard]] std::string what_if_json(const predict::WhatIf& what_if);

}  // namespace artel::report
