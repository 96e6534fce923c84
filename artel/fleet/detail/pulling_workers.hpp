#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_parts.hpp"
#include "artel/fleet/detail/fleet_placement.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/sim/kernel/context.hpp"

namespace artel::fleet::detail {

/// What workers that pull ask of their fleet.
class PullHost {
 public:
  /// The task of the common queue is the worker's now.
  virtual void bind_here(std::uint32_t id, WorkerId worker) = 0;
  /// A task that waits at its worker is another worker's now.
  virtual void move(std::uint32_t id, WorkerId to) = 0;
  /// Its worker serves the task.
  virtual void serve(std::uint32_t id) = 0;
  /// Nobody waits for the task any more: it leaves.
  virtual void expire(std::uint32_t id) = 0;

 protected:
  ~PullHost() = default;
};

/// The workers of a simulated pool of threads: each takes its next task by itself, when it has
/// woken up or has ended the one before.
///
/// Who ran out looks for work elsewhere, as the scenario's `stealing` or `take_over` says. A task
/// that came to a worker that is busy has an idle one woken, if workers steal. A task whose
/// patience has ended keeps its place, and is thrown away at its turn.
/// Invariants:
///  1  A worker that is occupied serves one task, or is about to; else it is idle or waking.
///  2  With take_over, nothing waits while a worker that has woken up is idle.
///  3  Tasks of a priority above 0 are taken before all others, those below 0 after all others;
///     both wait in the common queue.
/// Cost: O(1) per task; O(workers) to steal, O(log tasks) with take_over. Threads: its
///       simulation's.
class PullingWorkers {
 public:
  /// All references must outlive it; `events` handles the events and gives them to on().
  PullingWorkers(const scenario::Scenario& scenario, const scenario::PolicySpec& policy,
                 std::uint32_t replication, TaskTable<FleetTask>& tasks,
                 FleetPlacement<FleetParts>& placement, PullHost& host, sim::Context& events);

  /// Whether the workers pull. If not, nothing else happens here.
  [[nodiscard]] bool active() const { return active_; }
  /// Whether they steal: then tasks of the common queue wait until somebody pulls them.
  [[nodiscard]] bool steal() const { return stealing_ != dispatch::Stealing::none; }
  /// Whether the task, which has just come, has to wait in the common queue although there may be
  /// room.
  [[nodiscard]] bool has_to_wait(const FleetTask& task) const {
    return steal() && (task.priority != 0 || placement_.held().of_sign(0) > 0);
  }
  /// The worker that gets a task that the policy has sent to `chosen`.
  [[nodiscard]] WorkerId instead_of(WorkerId chosen) const;

  /// A task waits in the common queue from now on.
  void held(const FleetTask& task) {
    if (steal() && task.priority != 0) call_helper();
  }
  /// A task has come to its worker.
  void came(std::uint32_t id);
  /// The worker has served its task, and all that followed is done.
  void ended(WorkerId id) { start_next(id, overhead_); }
  /// One more worker is there. What is bound to it meanwhile it looks at in opened().
  void join(WorkerId id);
  void opened(WorkerId id);
  /// Tasks that are at the worker and not in service.
  [[nodiscard]] std::uint32_t waiting(WorkerId id) const { return workers_[index(id)].waiting; }

  void on(const fleet_event::Woken& event);
  void on(const fleet_event::Begins& event);

 private:
  struct PullingWorker {
    TaskQueue queue;
    std::uint32_t waiting = 0;                 // how many those are
    std::uint32_t taken = TaskQueue::kNobody;  // is about to be served
    bool occupied = false;
    bool waking = false;
  };

  void push(WorkerId worker, std::uint32_t id);
  std::uint32_t pop(WorkerId worker);
  void wake(WorkerId id);
  void call_helper();
  void start_next(WorkerId id, Duration overhead);
  [[nodiscard]] std::uint32_t next(WorkerId id);
  [[nodiscard]] std::uint32_t take_held(WorkerId id);
  void find_work(WorkerId id);
  bool steal_half(WorkerId id);
  void move_front(WorkerId from, WorkerId to);

  dispatch::Stealing stealing_;
  bool take_over_;
  Duration overhead_;
  Duration network_delay_;
  const std::vector<Duration>& wake_ups_;
  bool active_;
  random::Stream dice_;
  TaskTable<FleetTask>& tasks_;
  FleetPlacement<FleetParts>& placement_;
  PullHost& host_;
  sim::Context& events_;
  std::vector<PullingWorker> workers_;
  std::uint64_t waiting_ = 0;                     // at all workers
  std::uint64_t came_ = 0;                        // tasks, ever
  std::map<std::uint64_t, WorkerId> by_arrival_;  // with take_over: all that wait at workers
};

}  // namespace artel::fleet::detail
