#pragma once

#include <optional>

#include "artel/lab/observed_policies.hpp"
#include "artel/lab/plan_result.hpp"
#include "artel/report/html_page.hpp"

namespace artel::report {

/// The report on a plan: parts "plan" (artel.plan/1), "tails" with one point whose curves are the
/// rows, each with the workers that it needs, and, if given, "observed": what was watched in
/// lab::planned_scenario().
[[nodiscard]] HtmlReport plan_report(const lab::PlanResult& plan,
                                     const std::optional<lab::ObservedPolicies>& observed);

}  // namespace artel::report
