#pragma once

#include <optional>
#include <string>
#include <vector>

#include "artel/scenario/dispatch_settings.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/run_settings.hpp"
#include "artel/scenario/sweep_axis.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::scenario {

/// A validated scenario: whatever is here can be run.
struct Scenario {
  std::string name;
  Workload workload;
  PoolSettings pool;
  DispatchSettings dispatch;
  RunSettings run;
  std::vector<Objective> slo;            ///< all are to be met
  std::vector<SweepAxis> sweep;          ///< the file's [sweep]; the scenario itself is not swept
  std::optional<double> price_per_hour;  ///< of one worker, in any currency; [plan]

  /// Work offered / work that the pool can do, on average over time.
  [[nodiscard]] double load() const;
  /// As many workers all the time, that serve one task at a time in order of arrival, always up;
  /// tasks of one kind, and none gives up.
  [[nodiscard]] bool plain() const;
};

}  // namespace artel::scenario
