#pragma once

#include "artel/own_models/model_study.hpp"
#include "artel/own_models/run_model_study.hpp"
#include "artel/report/html_page.hpp"

namespace artel::report {

/// What was measured of a model of the user's own, for a page with charts: along the sweep, and how
/// the times are distributed. Requires: the result has a point.
[[nodiscard]] HtmlReport html_model(const own_models::ModelStudy& study,
                                    const own_models::ModelResult& result);

}  // namespace artel::report
