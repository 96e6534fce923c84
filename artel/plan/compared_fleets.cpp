#include "artel/plan/compared_fleets.hpp"

#include <fmt/core.h>

#include <vector>

#include "artel/core/how_many.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/plan/planned_scenario.hpp"

namespace artel::plan {

std::vector<ComparedFleet> compared_fleets(const PlanResult& plan) {
  std::vector<ComparedFleet> fleets;
  if (plan.scaled.empty()) return fleets;
  for (const auto& row : plan.rows) {
    const auto* const trial = row.smallest ? row.trial(*row.smallest) : nullptr;
    if (trial == nullptr) continue;
    fleets.push_back({.policy = row_name(plan, row),
                      .scaling = "",
                      .size = how_many(trial->workers, "worker"),
                      .result = &trial->result,
                      .verdict = trial->verdict,
                      .workers = static_cast<double>(trial->workers)});
  }
  for (const auto& scaled : plan.scaled) {
    const auto& limits = scaled.scaling.limits;
    for (const auto& policy : scaled.policies)
      fleets.push_back(
          {.policy = policy.label,
           .scaling = scaled.name,
           .size = fmt::format("{} to {} workers ({})", limits.min, limits.max, scaled.name),
           .result = &policy,
           .verdict = judge(policy, plan.slo, plan.level),
           .workers = policy.workers().center});
  }
  return fleets;
}

}  // namespace artel::plan
