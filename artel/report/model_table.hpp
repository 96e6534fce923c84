#pragma once

#include <string>
#include <vector>

#include "artel/own_models/model_study.hpp"
#include "artel/own_models/run_model_study.hpp"

namespace artel::report {

/// What was measured of a model of the user's own, for the terminal: every figure of the study
/// with its interval, and how far each variant is from the first. Of a sweep a table per figure, a
/// line per point; else one table, a line per figure.
[[nodiscard]] std::string model_table(const own_models::ModelStudy& study,
                                      const own_models::ModelResult& result);

/// The figures to show: the study's, or all that the model reports.
[[nodiscard]] std::vector<std::string> shown_figures(const own_models::ModelStudy& study,
                                                     const own_models::ModelResult& result);

/// "load = 0.9, servers = 2"; empty without a sweep.
[[nodiscard]] std::string point_name(const own_models::ModelStudy& study,
                                     const own_models::ModelPoint& point);

}  // namespace artel::report
