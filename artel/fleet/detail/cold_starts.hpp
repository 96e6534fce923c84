#pragma once

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/fleet_workers.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/sim/kernel/context.hpp"

namespace artel::fleet::detail {

/// When the workers of a simulated fleet start up: for the first task after they were idle for too
/// long, if the scenario says so.
///
/// Invariants:
///  1  A worker that starts up serves nothing, and a Warm is on its way for it.
///  2  Who is given a task at the moment at which it has nothing left was not idle.
/// Cost: O(1). Threads: its simulation's.
class ColdStarts {
 public:
  /// All references must outlive it; `events` handles the events.
  ColdStarts(const scenario::Scenario& scenario, FleetWorkers& workers, sim::Context& events);

  /// A task is about to enter the worker's server: whether the worker has to start up for it.
  [[nodiscard]] bool begins(WorkerId id);
  /// It has started up.
  void ended(WorkerId id) { workers_.at(id).warm = true; }
  /// It has nothing to do from now on.
  void idle(WorkerId id);
  /// It has left: a start-up on its way comes to nothing.
  void retired(WorkerId id);

 private:
  bool any_;
  scenario::StartUpSettings settings_;  // if there are any
  FleetWorkers& workers_;
  sim::Context& events_;
};

}  // namespace artel::fleet::detail
