#include "artel/plan/planned_scenario.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "artel/core/require.hpp"
#include "artel/plan/detail/fewest_workers.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::plan {

std::string row_name(const PlanResult& plan, const PlanRow& row) {
  const auto same = std::ranges::count(plan.rows, row.policy.label,
                                       [](const PlanRow& other) { return other.policy.label; });
  if (same == 1) return row.policy.label;
  if (!row.queue_bound) return fmt::format("{} (queue mixed)", row.policy.label);
  return *row.queue_bound == dispatch::kUnbounded
             ? fmt::format("{} (queue inf)", row.policy.label)
             : fmt::format("{} (queue {})", row.policy.label, *row.queue_bound);
}

scenario::Scenario planned_scenario(const PlanResult& plan) {
  const auto* best = plan.best();
  ARTEL_REQUIRE(best != nullptr, "the plan has an answer");
  auto scenario = plan.scenario;
  scenario.pool = detail::resized(scenario.pool, best->smallest.value_or(1));
  scenario.dispatch.policies.clear();
  for (const auto& row : plan.rows) {
    auto policy = row.policy;
    policy.label = row_name(plan, row);
    scenario.dispatch.policies.push_back(std::move(policy));
  }
  return scenario;
}

}  // namespace artel::plan
