#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/fleet/detail/arriving_tasks.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_parts.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/task_path.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/sim/kernel/context.hpp"

namespace artel::fleet::detail {

class PlainFleet;

/// Nobody pulls.
struct NoPulling {
  template <class... Ignored>
  explicit NoPulling(const Ignored&... /*ignored*/) {}
  [[nodiscard]] static constexpr bool steal() { return false; }
  [[nodiscard]] static constexpr bool has_to_wait(const PlainTask& /*task*/) { return false; }
  [[nodiscard]] static constexpr WorkerId instead_of(WorkerId chosen) { return chosen; }
  static constexpr void held(const PlainTask& /*task*/) {}
};

/// Nobody records.
struct NoRecorder {
  explicit NoRecorder(const sim::Context& /*clock*/) {}
  [[nodiscard]] static constexpr bool active() { return false; }
  static constexpr void bound(const PlainTask& /*task*/, std::uint32_t /*waiting*/) {}
};

/// What a plain fleet is.
struct PlainKind {
  using Parts = PlainParts;
  using Base = ArrivingTasks<PlainFleet, PlainEventHandler>;
  using Pulling = NoPulling;
  using Recorder = NoRecorder;
};

/// A simulated fleet in which tasks of one kind wait in queues and are served one by one, in order
/// of arrival, and nothing else happens to them. One dispatcher with fresh loads decides.
///
/// It has the same answers as a FleetSimulation (where speeds make parts of nanoseconds, it may
/// round them otherwise), and is there for its speed: most scenarios are plain.
/// Cost: two events per task; O(workers + tasks). Threads: its simulation's.
class PlainFleet final : public TaskPath<PlainFleet, PlainKind> {
 public:
  /// All references must outlive the fleet. Requires: is_plain().
  PlainFleet(const scenario::Scenario& scenario, const scenario::PolicySpec& policy,
             std::uint32_t replication, Meter& meter);

  /// Whether a fleet of this kind is what the scenario says, under that policy.
  [[nodiscard]] static bool is_plain(const scenario::Scenario& scenario,
                                     const scenario::PolicySpec& policy);

  /// Schedules the first events.
  void open();

  /// The handlers of these events, for the simulation to call.
  using ArrivingTasks::on;
  using TaskPath::on;
  void on(const fleet_event::ServerChange& event);

 private:
  friend ArrivingTasks;
  friend TaskPath;
  struct alignas(32) PlainWorker {
    double speed = 1;
    std::uint32_t bound = 0;  // tasks
    std::uint32_t running = TaskQueue::kNobody;
    TaskQueue waiting;
  };

  [[nodiscard]] PlainWorker& at(WorkerId id) { return workers_[index(id)]; }
  void take_arrival();
  void enter(std::uint32_t id);
  [[nodiscard]] std::span<const std::uint32_t> take_ended(WorkerId id);
  void note_starts(WorkerId id);
  void left(std::uint32_t id, TaskEnding ending);

  // What a plain fleet has not.
  [[nodiscard]] static constexpr bool travels(std::uint32_t /*id*/) { return false; }
  [[nodiscard]] static constexpr std::uint32_t waiting_at(WorkerId /*id*/) { return 0; }
  static constexpr void let_in(std::uint32_t /*id*/) {}
  static constexpr void leaves(const PlainTask& /*task*/, TaskEnding /*ending*/) {}
  static constexpr void hands_on(int /*change*/) {}
  [[nodiscard]] bool more_come() const { return source_open_; }

  std::vector<PlainWorker> workers_;
  std::uint32_t started_ = TaskQueue::kNobody;  // by the worker at which something happens
  std::uint32_t ended_ = TaskQueue::kNobody;
};

extern template class ArrivingTasks<PlainFleet, PlainEventHandler>;
extern template class TaskPath<PlainFleet, PlainKind>;

}  // namespace artel::fleet::detail
