#pragma once

#include <span>

#include "artel/predict/replay.hpp"
#include "artel/report/html_page.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::report {

/// The report on a prediction: parts "replay" (artel.replay/1), "tails" with one point whose curves
/// are the measured and the predicted run, and "observed", where these two are side by side.
/// `tasks`: the recorded ones, of which some ran.
[[nodiscard]] HtmlReport html_replay(const predict::Prediction& prediction,
                                     std::span<const trace::TaskRecord> tasks);

}  // namespace artel::report
