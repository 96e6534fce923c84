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
  /// As many workers all the time, that serve one task at a time in order of arrival, always up and
  /// as fast; tasks of one kind that nobody turns away while there is room; callers who send each
  /// once, when its time comes, and wait.
  [[nodiscard]] bool plain() const;
  /// A plain pool, or one of artel's own threads (pool.stealing) with what these have besides:
  /// three priorities, tasks that expire, another size by the clock.
  [[nodiscard]] bool of_threads() const;
};

}  // namespace artel::scenario
