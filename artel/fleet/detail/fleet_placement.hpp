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
#include "artel/dispatch/indexed_loads.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/placement.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/dispatch/worker_table.hpp"
#include "artel/fleet/detail/fleet_admission.hpp"
#include "artel/fleet/detail/fleet_parts.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/simulated_dispatchers.hpp"
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
template <class Parts>
class FleetPlacement {
 public:
  using TaskKind = typename Parts::TaskKind;

  /// All references must outlive it. The workers of the start join.
  FleetPlacement(const scenario::Scenario& scenario, const scenario::PolicySpec& policy,
                 std::uint32_t replication, TaskTable<TaskKind>& tasks, const sim::Context& clock);

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
  /// Whose queue is how long, and what the policy says of them.
  [[nodiscard]] dispatch::WorkerTable& table() { return table_; }
  [[nodiscard]] const dispatch::IndexedLoads& loads() const { return table_.loads(); }
  /// What they hold of the prefixes of tasks.
  [[nodiscard]] WorkerCaches& caches() { return caches_; }
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
  [[nodiscard]] std::optional<WorkerId> decide(const TaskKind& task);
  /// A worker with room that `taken` is not true of, as the policy names them; if it keeps naming
  /// others, the next one. Nothing: there is none.
  template <class Taken>
  [[nodiscard]] std::optional<WorkerId> decide_another(const TaskKind& task, Taken&& taken);
  /// Where the task goes, if the dispatcher decided so. `admission`: of the common queue, in which
  /// it waits, although there may be room, if it has to.
  [[nodiscard]] dispatch::Placement place(const TaskKind& task, std::optional<WorkerId> chosen,
                                          const FleetAdmission& admission, bool has_to_wait);
  /// The dispatcher, if it has a view of its own, knows where the task has gone.
  void note(TaskKind& task, const dispatch::Placement& placement)
    requires(!Parts::kPlain)
  {
    if (!dispatchers_.own_views()) return;
    task.note = dispatchers_.open_note();
    dispatchers_.note(task.note, placement, task.hint, clock_.now());
  }
  /// The worker that the policy names. Requires: one has room.
  [[nodiscard]] WorkerId choose(const TaskKind& task);
  /// All dispatchers see the loads as they are now.
  void refresh();
  [[nodiscard]] const dispatch::LoadArray& snapshot() const { return dispatchers_.snapshot(); }
  [[nodiscard]] bool stale() const { return dispatchers_.stale(); }

  // ---- What happens to tasks

  void bind(const TaskKind& task) { table_.bind(task.worker, task.hint); }
  /// It goes to another worker before it has started.
  void unbind(const TaskKind& task) { table_.unbind(task.worker, task.hint); }
  void started(const TaskKind& task) {
    table_.advance(clock_.now());
    table_.start(task.worker, task.hint);
  }
  /// Nothing runs at the worker.
  void stopped(WorkerId id) { table_.stop(id); }
  /// The task has left the fleet, answered or not.
  void left(const TaskKind& task, bool answered);

  // ---- The common queue

  [[nodiscard]] typename Parts::QueueKind& held() { return held_; }
  [[nodiscard]] const typename Parts::QueueKind& held() const { return held_; }
  /// The next of it, if a worker has room.
  [[nodiscard]] std::optional<std::uint32_t> next_held();

 private:
  [[nodiscard]] dispatch::TaskHints hints_of(const TaskKind& task) const;
  [[nodiscard]] std::span<const float> matched_of(const TaskKind& task);
  [[nodiscard]] std::uint32_t bound_of(WorkerId id) const;
  [[nodiscard]] const dispatch::IndexedLoads& first_loads();

  const scenario::Scenario& scenario_;
  const sim::Context& clock_;
  TaskTable<TaskKind>& tasks_;
  WorkerCaches caches_;
  std::optional<std::uint32_t> queue_bound_;  // the policy's own
  std::vector<std::uint32_t> shut_;           // by worker: reasons
  dispatch::WorkerTable table_;
  bool hinted_;  // the policy asks about tasks, more than their size
  bool delays_;  // it asks how long tasks wait
  SimulatedDispatchers dispatchers_;
  typename Parts::QueueKind held_;
};

template <class Parts>
[[gnu::always_inline]] inline dispatch::TaskHints FleetPlacement<Parts>::hints_of(
    const TaskKind& task) const {
  dispatch::TaskHints hints = task.hint;
  hints.key = task.key;
  if constexpr (!Parts::kPlain) {
    if (!hinted_) return hints;
    hints.task_class = task.class_or_first();
    hints.deadline = task.due;
  }
  return hints;
}

template <class Parts>
std::optional<WorkerId> FleetPlacement<Parts>::decide(const TaskKind& task) {
  if (Parts::kPlain || dispatchers_.all_knowing()) return std::nullopt;
  return dispatchers_.decide(table_.chooser(), table_.loads(), hints_of(task), clock_.now(),
                             matched_of(task));
}

template <class Parts>
[[gnu::always_inline]] inline WorkerId FleetPlacement<Parts>::choose(const TaskKind& task) {
  std::optional<WorkerId> chosen;
  if (!Parts::kPlain && caches_.any()) {
    auto draw = table_.draw(hints_of(task));
    draw.matched = matched_of(task);
    chosen = table_.choose(draw);
  } else {
    chosen = table_.decide(hints_of(task));
  }
  ARTEL_REQUIRE(chosen.has_value(), "a policy names a worker when one has room");
  return *chosen;
}

template <class Parts>
[[gnu::always_inline]] inline dispatch::Placement FleetPlacement<Parts>::place(
    const TaskKind& task, std::optional<WorkerId> chosen, const FleetAdmission& admission,
    bool has_to_wait) {
  using Kind = dispatch::Placement::Kind;
  table_.advance(clock_.now());
  const bool fits = !Parts::kPlain && chosen && table_.loads().load(*chosen).room() > 0;
  dispatch::Placement placement{.kind = Kind::rejected};
  if (!has_to_wait && (fits || table_.open())) {
    placement = {.kind = Kind::assigned, .worker = fits ? *chosen : choose(task)};
  } else if (admission.may_wait(held_.size_for(task))) {
    placement.kind = Kind::held;
  }
  return placement;
}

template <class Parts>
[[gnu::always_inline]] inline void FleetPlacement<Parts>::left(const TaskKind& task,
                                                               bool answered) {
  const Instant now = clock_.now();
  if constexpr (!Parts::kPlain) {
    if (task.note != SimulatedDispatchers::kNotNoted)
      dispatchers_.note_done(task.note, now, answered);
    if (task.where == TaskKind::Where::held) return;
  }
  table_.advance(now);
  answered ? table_.answered(task.worker, now - task.bound)
           : table_.failed(task.worker, now - task.bound);
  task.begun ? table_.release(task.worker) : table_.unbind(task.worker, task.hint);
}

template <class Parts>
[[gnu::always_inline]] inline std::optional<std::uint32_t> FleetPlacement<Parts>::next_held() {
  if (held_.empty() || !table_.open()) return std::nullopt;
  table_.advance(clock_.now());
  return held_.pop(tasks_);
}

template <class Parts>
template <class Taken>
std::optional<WorkerId> FleetPlacement<Parts>::decide_another(const TaskKind& task, Taken&& taken) {
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
