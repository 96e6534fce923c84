#include "artel/plan/plan_result.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

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

const PlanRow* PlanResult::best() const {
  const PlanRow* best = nullptr;
  for (const auto& row : rows) {
    if (row.smallest && (best == nullptr || row.smallest < best->smallest)) best = &row;
  }
  return best;
}

}  // namespace artel::plan
