#pragma once

#include "artel/experiment/model_study.hpp"
#include "artel/experiment/run_model_study.hpp"
#include "artel/report/html_page.hpp"

namespace artel::report {

/// What was measured of a model of the user's own, for a page with charts: along the sweep, and how
/// the times are distributed. Requires: the result has a point.
[[nodiscard]] HtmlReport html_model(const experiment::ModelStudy& study,
                                    const experiment::ModelResult& result);

}  // namespace artel::report
