#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "artel/fleet/detail/arriving_tasks.hpp"
#include "artel/fleet/detail/class_meter.hpp"
#include "artel/fleet/detail/fleet_callers.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_pool.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/stages.hpp"
#include "artel/fleet/task_source.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::fleet::detail {

/// A simulated fleet: who sends tasks to a pool of workers, how often, where a task goes when it
/// has been served there, and what is counted of that.
///
/// Where callers send more than one attempt, a task of the pool is an attempt, and a CallerLife
/// decides about the request; what is measured is the request. A PlainFleet is the fast one for
/// scenarios that have nothing of all that.
/// Cost: two events per task, more for what callers do. Threads: its simulation's.
class FleetSimulation final : public ArrivingTasks<FleetSimulation, FleetEventHandler>,
                              private PoolOwner,
                              private CallersHost,
                              private StagesHost {
 public:
  /// All references must outlive the fleet.
  FleetSimulation(const scenario::Scenario& scenario, std::uint32_t replication, FleetPool& pool,
                  Meter& meter, ClassMeter& classes);

  /// What has been served goes on to `pool`, which is as `stage` says; to be called in order,
  /// before open(). Both must outlive the fleet.
  void add_stage(FleetPool& pool, const scenario::Scenario& stage, std::uint32_t replication);

  /// Schedules the first events.
  void open();

  /// The handlers of these events, for the simulation to call.
  using ArrivingTasks::on;
  void on(const fleet_event::UserAsks& event);
  template <class Event>
    requires requires(FleetCallers& callers, const Event& event) { callers.on(event); }
  void on(const Event& event) {
    callers_.on(event);
  }

 private:
  friend ArrivingTasks;
  void take_arrival();
  void think();

  [[nodiscard]] bool over(const FleetPool& pool) const override;
  [[nodiscard]] bool more_come(const FleetPool& pool) const override;
  [[nodiscard]] bool nobody_comes(const FleetPool& pool) const override;
  void comes(FleetPool& pool, const FleetTask& part) override;
  void began(const FleetTask& attempt) override {
    if (callers_.active()) callers_.began(attempt);
  }
  void left(FleetPool& pool, std::uint32_t id, TaskEnding ending) override;
  void hands_on(int change) override { handing_on_ += change; }
  void settled() override;

  void request_ended(FleetTask& request, TaskEnding ending) override;
  void been_through(std::uint32_t number, const FleetTask& task, TaskEnding ending) override;
  [[nodiscard]] bool nobody_hears(const FleetTask& attempt) const override;
  void note_stage(std::size_t stage, const FleetTask& task, TaskEnding ending) override;

  void pass_on(const FleetTask& task);
  void tell_end(const FleetTask& attempt, TaskEnding ending);
  void conclude(const FleetTask& task, TaskEnding ending);
  void note_group(std::uint32_t group, const FleetTask& task, TaskEnding ending);

  const scenario::Scenario& scenario_;
  ClassMeter& classes_;
  bool grouped_;                           // there are some, or stages
  const scenario::ClosedArrivals* users_;  // if there are any
  std::uint32_t thinking_ = 0;             // of them, who will ask
  random::Stream thinks_;
  FleetPool& pool_;
  std::deque<TaskSource> stage_sources_;
  int handing_on_ = 0;  // tasks: see PoolOwner
  Stages stages_;
  FleetCallers callers_;
};

}  // namespace artel::fleet::detail
