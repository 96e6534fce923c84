#pragma once

#include <optional>
#include <string>

#include "artel/experiment/observed_policies.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/report/html_page.hpp"
#include "artel/scenario/study.hpp"

namespace artel::report {

/// The report on an experiment: parts "simulate" (artel.simulate/1), "point" (point_of_interest),
/// "tails" and, if given, "observed": what was watched at that point.
[[nodiscard]] HtmlReport html_experiment(
    const scenario::Study& study, const experiment::ExperimentResult& result,
    const std::optional<experiment::ObservedPolicies>& observed);

}  // namespace artel::report
