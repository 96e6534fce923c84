#pragma once

#include <optional>
#include <string>

#include "artel/lab/experiment.hpp"
#include "artel/lab/observed_policies.hpp"
#include "artel/lab/study.hpp"
#include "artel/report/html_page.hpp"

namespace artel::report {

/// The report on an experiment: parts "simulate" (artel.simulate/1), "point" (point_of_interest),
/// "tails" and, if given, "observed": what was watched at that point.
[[nodiscard]] HtmlReport experiment_report(const lab::Study& study,
                                           const lab::ExperimentResult& result,
                                           const std::optional<lab::ObservedPolicies>& observed);

}  // namespace artel::report
