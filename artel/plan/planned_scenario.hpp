#pragma once

#include <string>

#include "artel/plan/plan_result.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::plan {

/// What tells the row from all others: its policy, with the queue bound where several were tried:
/// "jsq(d=2) (queue 4)".
[[nodiscard]] std::string row_name(const PlanResult& plan, const PlanRow& row);

/// The scenario with the pool that the plan comes to, and every row as a policy, to look at them
/// side by side. Requires: there is a best row.
[[nodiscard]] scenario::Scenario planned_scenario(const PlanResult& plan);

}  // namespace artel::plan
