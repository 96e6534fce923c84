#pragma once

#include <string>
#include <vector>

#include "artel/experiment/run_experiment.hpp"
#include "artel/plan/plan_result.hpp"

namespace artel::plan {

/// A fleet as it stands in the comparison of fleets that keep their size with those that do not.
struct ComparedFleet {
  std::string policy;   ///< that dispatches, told apart as by row_name()
  std::string scaling;  ///< ScaledFleet::name; empty: it keeps its size
  std::string size;     ///< in words: "12 workers", "2 to 40 workers (hpa)"
  const experiment::PolicyResult* result = nullptr;  ///< lives as long as the plan
  experiment::Verdict verdict = experiment::Verdict::unclear;
  double workers = 0;  ///< on average

  /// What the fleet costs, whatever a worker's price.
  [[nodiscard]] double worker_hours_per_day() const {
    constexpr double kHoursPerDay = 24;
    return workers * kHoursPerDay;
  }
};

/// The rows with an answer as fleets of that size, then the fleets that are scaled, each with every
/// policy; empty: nothing is scaled.
[[nodiscard]] std::vector<ComparedFleet> compared_fleets(const PlanResult& plan);

}  // namespace artel::plan
