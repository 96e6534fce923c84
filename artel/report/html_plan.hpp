#pragma once

#include <optional>
#include <string_view>

#include "artel/experiment/observed_policies.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/report/html_page.hpp"

namespace artel::report {

/// The report on a plan: parts "plan" (artel.plan/1), "tails" with one point whose curves are the
/// rows, each with the workers that it needs, and, if given, "observed": what was watched in
/// plan::planned_scenario(). `backtest` is that of plan_json().
[[nodiscard]] HtmlReport html_plan(const plan::PlanResult& plan,
                                   const std::optional<experiment::ObservedPolicies>& observed,
                                   std::string_view backtest = {});

}  // namespace artel::report
