#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/dispatcher.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/fleet/detail/class_meter.hpp"
#include "artel/fleet/detail/forked_tasks.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/simulated_dispatchers.hpp"
#include "artel/fleet/task_source.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::fleet::detail {

/// Payloads of the simulated pool's events, all to itself.
namespace pool_event {
struct Arrival {      ///< the source's next task comes
  bool last = false;  ///< put_off
};
struct Wake {  ///< an idle worker that was woken is ready to take a task
  WorkerId worker;
};
struct Begin {  ///< the worker begins to serve its part: it has come over the network
  WorkerId worker;
};
struct End {  ///< the worker has served its part
  WorkerId worker;
};
struct Refresh {};   ///< the dispatchers' picture of the loads is renewed
struct Beacon {};    ///< beacons go out to all workers
struct Publish {};   ///< the closed loop publishes a new distribution
struct NextSize {};  ///< the timetable of sizes has come to its next entry
}  // namespace pool_event

/// A worker pool in simulated time: a source of tasks, dispatchers that run a policy, workers that
/// serve.
///
/// A task is one part, or `fork` parts; it is done with its last part. A task comes to one of the
/// dispatchers at random, which places every part of it by itself. Fresh loads show every task that
/// was sent, on its way or there; stale ones show the loads at the last refresh; a dispatcher's own
/// view shows what it sent itself. A task that is sent to a worker that is full is dispatched anew,
/// with fresh loads. An idle worker may take time to wake; with take_over, one that runs out
/// meanwhile takes its task.
///
/// In a pool of threads (Scenario::of_threads) a class of a priority above 0 is one of high
/// priority, below 0 of low; a task whose patience has ended is thrown away at its turn, and keeps
/// its place until then; workers come and go by the timetable, the last ones first, and whoever
/// goes finishes what waits at it.
///
/// Cost: two events per part, one per refresh; O(workers + tasks). Threads: its simulation's.
class SimulatedPool
    : public sim::Component<pool_event::Arrival, pool_event::Wake, pool_event::Begin,
                            pool_event::End, pool_event::Refresh, pool_event::Beacon,
                            pool_event::Publish, pool_event::NextSize> {
 public:
  /// All references must outlive the pool.
  SimulatedPool(const scenario::Scenario& scenario, const scenario::PolicySpec& policy,
                std::uint32_t replication, Meter& meter, ClassMeter& classes);

  /// Writes the life of every task into `tasks`, in order of arrival; with `fork`, of every part.
  /// To be called before open(); `tasks` must outlive the pool.
  void record_into(std::vector<trace::TaskRecord>& tasks);

  /// Schedules the first events.
  void open();

  /// The handlers of the pool's events, for the simulation to call.
  void on(const pool_event::Arrival& event);
  void on(const pool_event::Wake& event);
  void on(const pool_event::Begin& event);
  void on(const pool_event::End& event);
  void on(const pool_event::Refresh&);
  void on(const pool_event::Beacon&);
  void on(const pool_event::Publish&);
  void on(const pool_event::NextSize&);

 private:
  // What a worker serves.
  struct Part {
    Instant arrival{};
    Instant expires = kNever;  // if it has not been started by then
    Duration size{};           // service time at speed 1
    std::uint32_t forked = ForkedTasks::kNotForked;
    std::uint32_t note = SimulatedDispatchers::kNotNoted;
    std::uint32_t record : 31 = 0;  // of tasks_, if they are recorded
    bool counted : 1 = false;
    std::uint32_t task_class = 0;
  };
  struct alignas(64) SimulatedWorker {
    double speed = 1;
    Part part{};  // being served, or on its way
    Instant start{};
    std::uint32_t committed = 0;  // tasks served since the last refresh
    bool waking = false;          // a Wake is on its way
    bool costs = true;            // nothing from when it has left
  };
  // Of the policy, if it is one; else nullptr.
  [[nodiscard]] const dispatch::ClosedLoop* closed_loop() const {
    return std::get_if<dispatch::ClosedLoop>(&dispatcher_.policy());
  }
  std::vector<SimulatedWorker> join_all(const scenario::PoolSettings& pool);
  [[nodiscard]] dispatch::WorkerCapacity capacity_of(std::size_t worker,
                                                     const scenario::PoolSettings& pool) const;
  void schedule_arrival();
  template <bool kPlain>
  [[gnu::always_inline]] void arrive(Part& part);
  void describe(Part& part);
  [[nodiscard]] dispatch::Precedence precedence_of(const Part& part) const;
  void expire(WorkerId id, const Part& part);
  void resize(std::uint32_t size);
  void retire_if_gone(WorkerId id);
  [[nodiscard]] std::optional<WorkerId> decide(const dispatch::TaskHints& hints) {
    if (dispatchers_.all_knowing()) return std::nullopt;
    return dispatchers_.decide(dispatcher_.chooser(), dispatcher_.loads(), hints, now());
  }
  template <bool kPlain>
  [[gnu::always_inline]] void place(Part& part, std::optional<WorkerId> chosen,
                                    const dispatch::TaskHints& hints);
  void wake(WorkerId id);
  void call_helper();
  template <bool kPlain>
  void start_next(WorkerId id, Duration overhead = {});
  template <bool kPlain>
  void begin(WorkerId id);
  template <bool kPlain>
  void finish(WorkerId id);
  template <bool kPlain>
  [[gnu::always_inline]] void complete(const Part& part, Instant start, bool rejected);
  void update_depth(WorkerId id);
  void open_record(Part& part, Duration hint);

  const scenario::Scenario& scenario_;
  dispatch::Dispatcher<Part> dispatcher_;
  Meter& meter_;
  ClassMeter& classes_;
  bool alike_;  // tasks are of one kind, and have no end to their patience
  std::optional<std::uint32_t> queue_bound_;  // the policy's own
  TaskSource source_;
  std::vector<SimulatedWorker> workers_;
  std::vector<std::uint32_t> depths_;  // tasks bound to each, as the meter knows
  SimulatedDispatchers dispatchers_;
  // One dispatcher with fresh loads decides, and nothing but queueing and service happens to tasks:
  // all else is left out where kPlain is true, so that what a scenario does not use costs nothing.
  bool plain_;
  bool source_open_ = true;
  random::Stream wake_ups_;
  std::vector<trace::TaskRecord>* tasks_ = nullptr;
  ForkedTasks forked_tasks_;
};

}  // namespace artel::fleet::detail
