#include "artel/plan/plan_result.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>

#include "artel/scenario/features.hpp"
#include "artel/scenario/objective.hpp"

namespace artel::plan {

const PlanTrial* PlanRow::trial(std::uint32_t workers) const {
  const auto at = std::find_if(trials.begin(), trials.end(),
                               [&](const PlanTrial& trial) { return trial.workers == workers; });
  return at == trials.end() ? nullptr : &*at;
}

std::optional<double> PlanResult::cost_per_hour(double workers) const {
  if (!scenario.price_per_hour) return std::nullopt;
  return workers * *scenario.price_per_hour;
}

bool PlanResult::exact() const {
  bool any = false;
  for (const auto& row : rows) {
    for (const auto& trial : row.trials) {
      if (!trial.result.exact) return false;
      any = true;
    }
  }
  return any;
}

bool PlanResult::more_may_help(const PlanTrial& trial) const {
  const auto& pool = scenario.pool;
  const bool alike =
      std::ranges::adjacent_find(pool.speeds, std::not_equal_to<>{}) == pool.speeds.end();
  using enum scenario::Feature;
  constexpr scenario::Features kSlots(slots);  // each serves its task as a worker would
  const auto matter = scenario::kWorkerFeatures.without(kSlots);
  const auto features = features_of(scenario);
  const bool simple =
      alike && features.among(matter).empty() && !features.has(callers) && !features.has(ejection);
  const auto& waits = trial.result.times.waits.all();
  const auto rejected =
      trial.result.estimate(scenario::Quantity::rejected, scenario::Statistic::mean);
  return !simple || waits.empty() || waits.max() > 0 || rejected.center != 0;
}

const PlanRow* PlanResult::best() const {
  const PlanRow* best = nullptr;
  for (const auto& row : rows) {
    if (row.smallest && (best == nullptr || row.smallest < best->smallest)) best = &row;
  }
  return best;
}

}  // namespace artel::plan
