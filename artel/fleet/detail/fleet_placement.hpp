#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/placement.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/dispatch/worker_table.hpp"
#include "artel/fleet/detail/fleet_admission.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/server.hpp"
#include "artel/fleet/detail/simulated_dispatchers.hpp"
#include "artel/fleet/detail/waiting_room.hpp"
#include "artel/fleet/detail/worker_caches.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/sim/kernel/context.hpp"

namespace artel::fleet::detail {

/// Which worker of a simulated fleet gets a task, and what waits in the common queue.
///
/// A dispatcher decides by what it sees of the loads; a task that its worker has no room for is
/// placed anew by the loads as they are, or waits in the common queue in the order of the workers'
/// discipline, or is refused. Work left is the hints of all that is bound to a worker and has not
/// ended.
/// Invariants:
///  1  A task that is bound counts in its worker's load until left().
///  2  A worker that is shut, for any number of reasons, has no room; what it has it keeps.
///  3  Something waits in the common queue only while no worker has room, but for the moment in
///     which several get it.
/// Cost: O(log workers) per task, O(workers) where a policy looks at each. Threads: its
///       simulation's.
class FleetPlacement {
 public:
  /// All references must outlive it. The workers of the start join. Requires: the policy is no
  /// closed loop.
  FleetPlacement(const scenario::Scenario& scenario, const scenario::PolicySpec& policy,
                 std::uint32_t replication, WorkerCaches& caches, const sim::Context& clock);

  // ---- Workers

  /// One more takes tasks.
  WorkerId join();
  /// The worker takes no more; its number is free once nothing is bound to it.
  void expel(WorkerId id) { table_.expel(id, clock_.now()); }
  /// Dispatchers send the worker nothing, until every reason for that is gone.
  void shut(WorkerId id);
  /// One reason is gone; whether the worker has room again by that.
  [[nodiscard]] bool reopen(WorkerId id);
  [[nodiscard]] const dispatch::Membership& members() const { return table_.members(); }
  /// Something has started at the worker, or it waits for nothing (zero): how long tasks wait
  /// there.
  void note_delay(WorkerId id, Duration delay) {
    if (delays_) table_.set_delay(id, delay);
  }

  // ---- Deciding

  /// The next task comes to one of the dispatchers. To be called before decide().
  void task_arrives() { dispatchers_.task_arrives(); }
  /// The worker that the dispatcher names: none if it knows none with room, or if the loads at the
  /// time of place() decide.
  [[nodiscard]] std::optional<WorkerId> decide(const FleetTask& task);
  /// A worker with room that `taken` is not true of, as the policy names them; if it keeps naming
  /// others, the next one. Nothing: there is none.
  template <class Taken>
  [[nodiscard]] std::optional<WorkerId> decide_another(const FleetTask& task, Taken&& taken);
  /// Where the task goes, if the dispatcher decided so. `admission`: of the common queue.
  [[nodiscard]] dispatch::Placement place(FleetTask& task, std::optional<WorkerId> chosen,
                                          const FleetAdmission& admission);
  /// The worker that the policy names. Requires: one has room.
  [[nodiscard]] WorkerId choose(const FleetTask& task);
  /// All dispatchers see the loads as they are now.
  void refresh();
  [[nodiscard]] bool stale() const { return dispatchers_.stale(); }

  // ---- What happens to tasks

  void bind(const FleetTask& task) { table_.bind(task.worker, task.hint); }
  void started(const FleetTask& task) {
    table_.advance(clock_.now());
    table_.start(task.worker, task.hint);
  }
  /// Nothing runs at the worker.
  void stopped(WorkerId id) { table_.stop(id); }
  /// The task has left the fleet, answered or not.
  void left(const FleetTask& task, bool answered);

  // ---- The common queue

  [[nodiscard]] bool waits() const { return !held_.empty(); }
  void hold(const ServerJob& job, Duration size) {
    held_.push({.job = job, .left = to_seconds(size), .order = ++held_ever_});
  }
  /// It goes away before its turn.
  void withdraw(std::uint32_t id) { held_.remove(id); }
  /// The next of it, if a worker has room.
  [[nodiscard]] std::optional<std::uint32_t> next_held();

 private:
  [[nodiscard]] dispatch::TaskHints hints_of(const FleetTask& task) const;
  [[nodiscard]] std::span<const float> matched_of(const FleetTask& task);
  [[nodiscard]] std::uint32_t bound_of(WorkerId id) const;
  [[nodiscard]] const dispatch::IndexedLoads& first_loads();

  const scenario::Scenario& scenario_;
  const sim::Context& clock_;
  WorkerCaches& caches_;
  std::optional<std::uint32_t> queue_bound_;  // the policy's own
  std::vector<std::uint32_t> shut_;           // by worker: reasons
  dispatch::WorkerTable table_;
  bool hinted_;  // the policy asks about tasks, more than their size
  bool delays_;  // it asks how long tasks wait
  SimulatedDispatchers dispatchers_;
  WaitingRoom held_;
  std::uint64_t held_ever_ = 0;
};

inline dispatch::TaskHints FleetPlacement::hints_of(const FleetTask& task) const {
  dispatch::TaskHints hints = task.hint;
  if (!hinted_) return hints;
  hints.key = task.key;
  hints.task_class = task.task_class == FleetTask::kNoClass ? 0 : task.task_class;
  hints.deadline = task.due;
  return hints;
}

inline std::optional<WorkerId> FleetPlacement::decide(const FleetTask& task) {
  if (dispatchers_.all_knowing()) return std::nullopt;
  return dispatchers_.decide(table_.chooser(), table_.loads(), hints_of(task), clock_.now(),
                             matched_of(task));
}

inline WorkerId FleetPlacement::choose(const FleetTask& task) {
  auto draw = table_.draw(hints_of(task));
  if (caches_.any()) draw.matched = matched_of(task);
  const auto chosen = table_.choose(draw);
  ARTEL_REQUIRE(chosen.has_value(), "a policy names a worker when one has room");
  return *chosen;
}

inline void FleetPlacement::left(const FleetTask& task, bool answered) {
  const Instant now = clock_.now();
  if (task.note != SimulatedDispatchers::kNotNoted)
    dispatchers_.note_done(task.note, now, answered);
  if (task.where == FleetTask::Where::held) return;
  table_.advance(now);
  answered ? table_.answered(task.worker, now - task.bound)
           : table_.failed(task.worker, now - task.bound);
  task.begun ? table_.release(task.worker) : table_.unbind(task.worker, task.hint);
}

inline std::optional<std::uint32_t> FleetPlacement::next_held() {
  if (held_.empty() || !table_.open()) return std::nullopt;
  table_.advance(clock_.now());
  return held_.pop().job.id;
}

template <class Taken>
std::optional<WorkerId> FleetPlacement::decide_another(const FleetTask& task, Taken&& taken) {
  const auto fits = [&](WorkerId id) { return table_.loads().load(id).room() > 0 && !taken(id); };
  table_.advance(clock_.now());
  std::size_t last = 0;
  constexpr int kDraws = 16;
  for (int i = 0; i < kDraws && table_.open(); ++i) {
    const auto chosen = dispatchers_.all_knowing() ? choose(task) : decide(task);
    if (!chosen) break;
    if (fits(*chosen)) return chosen;
    last = index(*chosen);
  }
  const std::size_t workers = shut_.size();
  for (std::size_t i = 1; i <= workers; ++i) {
    const auto id = dispatch::worker((last + i) % workers);
    if (table_.members().working(id) && fits(id)) return id;
  }
  return std::nullopt;
}

}  // namespace artel::fleet::detail
