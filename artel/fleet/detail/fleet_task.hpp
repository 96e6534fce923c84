#pragma once

#include <cstdint>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/forked_tasks.hpp"
#include "artel/fleet/detail/server.hpp"
#include "artel/fleet/detail/simulated_dispatchers.hpp"
#include "artel/fleet/detail/task_table.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::fleet::detail {

/// How a task, or an attempt, leaves a simulated fleet.
enum class TaskEnding : std::uint8_t {
  served,
  rejected,
  gave_up,
  lost,        ///< its worker broke; of a request: or no try was answered in time
  taken_back,  ///< nobody hears of it
};

/// A task of a simulated fleet in which tasks are queued and served, and nothing else happens to
/// them: one line of the cache.
struct PlainTask {
  /// Where it is: in the common queue, on its way to its worker, or there.
  enum class Where : std::uint8_t { held, travelling, at_worker };

  Instant arrival{};
  Instant bound{};
  Instant start{};
  Duration size{};  ///< service time at speed 1
  Duration hint{};
  std::uint64_t key = 0;
  WorkerId worker{};
  std::uint32_t next = UINT32_MAX;  ///< in its TaskQueue
  Where where = Where::held;
  bool counted = false;
  bool begun = false;  ///< as the dispatchers' table knows
};

/// A task of a simulated fleet, or a part of one, or an attempt of a request.
struct FleetTask : PlainTask {
  static constexpr std::uint32_t kNoClass = UINT32_MAX;
  static constexpr std::uint32_t kNoRequest = UINT32_MAX;   ///< the task is its own
  static constexpr std::uint32_t kNobody = UINT32_MAX - 1;  ///< the caller has gone on without it

  Instant due{};    ///< the request's, whichever attempt, in whichever stage
  Duration join{};  ///< what a batch takes longer by it
  std::uint32_t forked = ForkedTasks::kNotForked;
  std::uint32_t note = SimulatedDispatchers::kNotNoted;
  std::uint32_t task_class = kNoClass;
  std::int32_t priority = 0;
  std::uint32_t request = kNoRequest;
  std::uint32_t passing = 0;  ///< of the fleet that this one is a stage of
  std::uint32_t row = 0;      ///< of the trace, if workers have caches, or it has their patience
  sim::EventId reach{};
  sim::EventId give_up{};
  Instant expires = kNever;  ///< of PullingWorkers: thrown away at its turn from then on
  std::uint64_t order = 0;   ///< of PullingWorkers
  std::uint32_t record = 0;  ///< of TaskRecorder

  /// Its caller waits for it, or for another attempt of the same request.
  [[nodiscard]] bool of_request() const { return request < kNobody; }
  /// The first class stands for those that have none.
  [[nodiscard]] std::uint32_t class_or_first() const {
    return task_class == kNoClass ? 0 : task_class;
  }
};

/// A task as its worker's server sees it.
[[nodiscard]] inline ServerJob job_of(const FleetTask& task, std::uint32_t id,
                                      scenario::Discipline discipline) {
  return {.id = id,
          .priority = task.priority,
          .work = to_seconds(task.size),
          .deadline = discipline == scenario::Discipline::edf ? to_seconds(task.due) : 0,
          .join = to_seconds(task.join)};
}

/// Tasks in the order in which they came: each names the next one.
class TaskQueue {
 public:
  static constexpr std::uint32_t kNobody = UINT32_MAX;

  [[nodiscard]] bool empty() const { return first_ == kNobody; }

  template <class Task>
  void push(TaskTable<Task>& tasks, std::uint32_t id) {
    tasks[id].next = kNobody;
    (empty() ? first_ : tasks[last_].next) = id;
    last_ = id;
  }
  /// kNobody: there was none.
  template <class Task>
  std::uint32_t pop(TaskTable<Task>& tasks) {
    const auto id = first_;
    if (id != kNobody) first_ = tasks[id].next;
    return id;
  }

 private:
  std::uint32_t first_ = kNobody;
  std::uint32_t last_ = kNobody;
};

}  // namespace artel::fleet::detail
