#pragma once

#include <optional>
#include <vector>

#include "artel/experiment/observed_policies.hpp"
#include "artel/plan/growth.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/report/html_page.hpp"
#include "artel/report/plan_json.hpp"

namespace artel::report {

/// The report on a plan: parts "plan" (artel.plan/1), "tails" with one point whose curves are the
/// rows, each with the workers that it needs, and, if given, "observed": what was watched in
/// plan::planned_scenario(). `growth`, if any, becomes the part "growth".
[[nodiscard]] HtmlReport html_plan(const plan::PlanResult& plan,
                                   const std::optional<experiment::ObservedPolicies>& observed,
                                   const RecordedJson& recorded = {},
                                   const std::vector<plan::Growth>& growth = {});

}  // namespace artel::report
