#pragma once

#include <optional>
#include <string>
#include <vector>

#include "artel/scenario/dispatch_settings.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/run_settings.hpp"
#include "artel/scenario/stage_settings.hpp"
#include "artel/scenario/sweep_axis.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::scenario {

/// A validated scenario: whatever is here can be run.
struct Scenario {
  std::string name;
  Workload workload;
  PoolSettings pool;
  std::vector<StageSettings> stages;  ///< after the pool
  DispatchSettings dispatch;
  RunSettings run;
  std::vector<Objective> slo;            ///< all are to be met
  std::vector<SweepAxis> sweep;          ///< the file's [sweep]; the scenario itself is not swept
  std::optional<double> price_per_hour;  ///< of one worker, in any currency; [plan]

  /// Work offered / work that the pool can do, on average over time.
  [[nodiscard]] double load() const;
  /// What is measured apart: each class, then, if there are stages, the pool and each of them.
  [[nodiscard]] std::vector<std::string> groups() const;
};

}  // namespace artel::scenario
