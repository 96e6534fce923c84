#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/chooser.hpp"
#include "artel/dispatch/controller.hpp"
#include "artel/dispatch/detail/bound_tasks.hpp"
#include "artel/dispatch/detail/held_tasks.hpp"
#include "artel/dispatch/detail/queued_beacons.hpp"
#include "artel/dispatch/detail/task_queue.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/indexed_loads.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/dispatch/worker_table.hpp"
// What its members take and return.
// IWYU pragma: begin_exports
#include "artel/dispatch/counts.hpp"
#include "artel/dispatch/dispatcher_options.hpp"
#include "artel/dispatch/leaving.hpp"
#include "artel/dispatch/placement.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/dispatch/worker_capacity.hpp"
// IWYU pragma: end_exports

namespace artel::dispatch {

/// Spreads tasks over workers under a policy, for hosts that run on one thread: a common queue, and
/// a queue of individual capacity per worker.
///
/// The host says what happens and pulls: after arrived() answers `start`, and whenever a worker has
/// finished(), it asks start(worker) for the task to run next. A worker runs one task at a time.
///  1. A task is bound as soon as a worker has room; else it is held in the common queue.
///  2. No task is held while a worker has room. Held tasks are bound in order of arrival, after
///     those that workers which left gave back.
///  3. A worker starts its tasks in the order in which they were bound. With take_over, a worker
///     that runs out takes the task that has waited longest elsewhere, so that nothing waits while
///     a worker is idle.
///  4. A leaving worker gets nothing new. Every accepted task is started exactly once.
///
/// Cost:    tens of ns per task and the policy's own; no allocation once queues have been as
///          long as they get. Per waiting task sizeof(Task) + 1/2 byte; 48 bytes more if the policy
///          reads more than queue lengths and weights, or with take_over.
/// Requires: Task moves without throwing. Times never go back; hosts whose policy reads none
///          (work, delay, latency, now) and is no closed loop may leave them out.
/// Threads: one at a time.
/// Source:  TaskManager with bounded executor queues; resizing as in YAWP.
template <class Task>
class Dispatcher {
 public:
  explicit Dispatcher(DispatcherOptions options)
      : options_(std::move(options)),
        workers_(options_.policy, options_.limits, options_.seed,
                 options_.take_over || options_.stealing != Stealing::none),
        needs_(workers_.needs()),
        bound_({.keeps_facts =
                    !needs_.inputs.without(PolicyInput::weight).empty() || options_.take_over,
                .take_over = options_.take_over,
                .beacons = workers_.closed_loop() != nullptr}),
        held_(bound_.store()) {
    choose_path();
  }

  /// A task arrives, with what is known of it (a Duration: its service time). It is moved from
  /// unless it is rejected. If not of the usual precedence it is held: have an idle worker start().
  [[gnu::always_inline]] Placement arrived(Task&& task, Instant now = {},
                                           const TaskHints& hints = {},
                                           Precedence precedence = Precedence::usual) {
    return plain_ ? arrive<true>(std::move(task), now, hints, precedence)
                  : arrive<false>(std::move(task), now, hints, precedence);
  }

  /// A task arrives that somebody else's decision sends to a certain worker (a dispatcher with its
  /// own picture of the loads). When that worker has no room, it is as if it had just arrived().
  Placement arrived_at(WorkerId id, Task&& task, Instant now = {}, const TaskHints& hints = {}) {
    (void)bound_.at(id);
    workers_.advance(now);
    if (loads().load(id).room() == 0 || queues_behind_held())
      return arrived(std::move(task), now, hints);
    ++counts_.arrived;
    return bind_to(id, std::move(task), {.order = counts_.arrived, .bound = now, .hints = hints});
  }

  /// The worker, which runs nothing, takes its next task; nothing if there is none for it.
  [[nodiscard]] std::optional<Task> start(WorkerId id, Instant now = {}) {
    return plain_ ? take_next<true>(id, now) : take_next<false>(id, now);
  }

  /// The task that the worker runs has ended. Its place goes to a held task, if there is one.
  void finished(WorkerId id, Instant now = {}) {
    plain_ ? finish<true>(id, now) : finish<false>(id, now);
  }

  /// A worker joins; held tasks are bound to it: have it start(). Errors: beyond the maximum.
  [[nodiscard]] Result<WorkerId> join(const WorkerCapacity& options, Instant now = {}) {
    ARTEL_REQUIRE(options.capacity > 0, "a worker has room for one task at least");
    const auto id = workers_.join(options, now);
    if (!id) return id;
    bound_.join(*id, members().ids());
    bind_held(now);
    return id;
  }

  /// That many workers join, all or none; returns them: have each start(). Errors: as join().
  [[nodiscard]] Result<std::vector<WorkerId>> grow(std::size_t workers,
                                                   const WorkerCapacity& options,
                                                   Instant now = {}) {
    if (const auto allowed = members().check_grow(workers); !allowed) return fail(allowed);
    std::vector<WorkerId> joined;
    joined.reserve(workers);
    for (std::size_t i = 0; i < workers; ++i) joined.push_back(*join(options, now));
    return joined;
  }

  /// A worker leaves: it gets nothing new, and is gone when it has finished what it has. Returns
  /// the idle workers that got a task thereby: have each start(). Errors: below the minimum,
  /// leaving already, no such worker.
  [[nodiscard]] Result<std::vector<WorkerId>> leave(WorkerId id, Leaving how = Leaving::drain,
                                                    Instant now = {}) {
    if (const auto left = workers_.leave(id, now); !left) return fail(left);
    std::vector<WorkerId> woken;
    give_back(id, how, now, woken);
    return woken;
  }

  /// That many workers leave, those with the highest ids; all or none. Returns as leave(). Errors:
  /// below the minimum, already shrinking.
  [[nodiscard]] Result<std::vector<WorkerId>> shrink(std::size_t workers,
                                                     Leaving how = Leaving::drain,
                                                     Instant now = {}) {
    if (const auto allowed = members().check_shrink(workers); !allowed) return fail(allowed);
    std::vector<WorkerId> woken;
    for (std::size_t i = members().ids(); workers > 0 && i-- > 0;) {
      if (!workers_.leave(worker(i), now)) continue;
      give_back(worker(i), how, now, woken);
      --workers;
    }
    return woken;
  }

  /// Removes a worker at once, leaving or not, whatever the minimum: it died, or drained too long.
  /// Its running task counts as abandoned; what waits goes to the others. Returns as leave().
  /// Errors: no such worker.
  [[nodiscard]] Result<std::vector<WorkerId>> remove(WorkerId id, Instant now = {}) {
    if (!members().working(id) && !members().leaving(id))
      return fail(ErrorCode::not_found, fmt::format("no worker {}", index(id)));
    workers_.expel(id, now);
    if (std::exchange(bound_.at(id).running, false)) {
      --counts_.running;
      ++counts_.abandoned;
      workers_.finish(id);
    }
    std::vector<WorkerId> woken;
    give_back(id, Leaving::reassign, now, woken);
    return woken;
  }

  /// Sends a beacon through every queue: due every ClosedLoop::beacon_every, if that is the policy.
  void send_beacons(Instant now) {
    auto& beacons = bound_.beacons();
    if (!beacons) return;
    beacons->send(now);
    for (auto id = worker(0); index(id) < bound_.size(); id = worker(index(id) + 1)) {
      if (loads().queued(id) == 0 && members().working(id)) workers_.report(beacons->answer(id));
    }
  }

  /// A beacon that the host sent by itself came back.
  void beacon(const BeaconReport& report) { workers_.report(report); }

  /// Publishes a new distribution: due every ClosedLoop::publish_every, if that is the policy.
  void publish(Instant now) { workers_.publish(now); }

  /// Has `hear` told of every task that is bound to a worker, also of one that was taken over.
  void on_bound(std::function<void(const Task&, WorkerId)> hear) {
    bound_.on_bound(std::move(hear));
    choose_path();
  }

  /// For others that decide about these workers, each with draws of its own: several dispatchers
  /// that share a fleet, say. See arrived_at(). Up to date until workers join or leave.
  [[nodiscard]] const Chooser& chooser() { return workers_.chooser(); }

  /// What decides: policy(), constant.
  [[nodiscard]] const Policy& policy() const { return workers_.policy(); }
  /// Where all tasks are now.
  [[nodiscard]] Counts counts() const {
    Counts counts = counts_;
    counts.held = held();
    return counts;
  }
  [[nodiscard]] const IndexedLoads& loads() const { return workers_.loads(); }
  /// Who is there.
  [[nodiscard]] const Membership& members() const { return workers_.members(); }
  /// Tasks in the common queue.
  [[nodiscard]] std::size_t held() const { return held_.size(); }
  /// Tasks that wait in the worker's queue, the running one not included.
  [[nodiscard]] std::size_t waiting(WorkerId id) const { return bound_[id].tasks.size(); }
  [[nodiscard]] bool running(WorkerId id) const { return bound_[id].running; }

 private:
  /// What can happen to a task takes one of two paths of the same code. The plain one is for hosts
  /// and policies that use nothing but queues: all else is left out when it is compiled.
  void choose_path() { plain_ = bound_.plain() && !steals() && !options_.on_decision; }

  template <bool kPlain>
  Placement arrive(Task&& task, Instant now, const TaskHints& hints, Precedence precedence) {
    ++counts_.arrived;
    workers_.advance(now);
    const detail::TaskFacts facts{.order = counts_.arrived, .bound = now, .hints = hints};
    if (precedence == Precedence::usual && workers_.open() && (kPlain || !queues_behind_held()))
      return bind_to<kPlain>(decide<kPlain>(hints), std::move(task), facts);
    ARTEL_REQUIRE(precedence == Precedence::usual || steals(), "all go in order of arrival");
    const bool fits = held_.size(precedence) < options_.common_capacity;
    if (fits) held_.push(precedence, std::move(task), facts);
    counts_.rejected += fits ? 0 : 1;
    return {fits ? Placement::Kind::held : Placement::Kind::rejected, {}, false};
  }

  template <bool kPlain>
  std::optional<Task> take_next(WorkerId id, Instant now) {
    const auto& queue = bound_.at(id);
    ARTEL_REQUIRE(!queue.running, "the worker runs a task", index(id));
    workers_.advance(now);
    if (!kPlain) {
      if (held_.size(Precedence::first) > 0 && members().working(id))
        return take_held(Precedence::first, id, now);
      if (queue.tasks.empty() && members().working(id)) find_work(id, now);
      if (queue.tasks.empty() && held_.size(Precedence::last) > 0 && members().working(id))
        return take_held(Precedence::last, id, now);
    }
    if (queue.tasks.empty()) {
      if (!kPlain && needs_.inputs.has(PolicyInput::delay)) workers_.set_delay(id, Duration{0});
      return std::nullopt;
    }
    --counts_.waiting;
    return run<kPlain>(id, bound_.template take_front<kPlain>(id), now);
  }

  template <bool kPlain>
  void finish(WorkerId id, Instant now) {
    auto& queue = bound_.at(id);
    ARTEL_REQUIRE(queue.running, "the worker runs nothing", index(id));
    queue.running = false;
    --counts_.running;
    ++counts_.finished;
    workers_.advance(now);
    if (!kPlain) workers_.answered(id, now - queue.bound);
    workers_.finish(id);
    if (kPlain || !steals()) bind_held<kPlain>(now);
    if (auto& beacons = bound_.beacons(); !kPlain && beacons) report_reached(*beacons, id, now);
  }

  /// The worker runs what was taken off a queue for it.
  template <bool kPlain = false>
  Task run(WorkerId id, typename detail::TaskQueue<Task>::Waiting&& next, Instant now) {
    bound_[id].running = true;
    bound_[id].bound = next.facts.bound;
    ++counts_.running;
    workers_.start(id, next.facts.hints.size);
    if (!kPlain && needs_.inputs.has(PolicyInput::delay))
      workers_.set_delay(id, now - next.facts.bound);
    return std::move(next.task);
  }

  /// Bound past its queue, which may be full.
  Task take_held(Precedence precedence, WorkerId id, Instant now) {
    auto next = held_.pop(precedence, now);
    workers_.bind(id, next.facts.hints.size);
    bound_.tell(next.task, id);
    return run(id, std::move(next), now);
  }

  /// Names a worker with room; there is one.
  template <bool kPlain>
  [[nodiscard]] WorkerId decide(const TaskHints& hints) {
    std::optional<WorkerId> chosen;
    if (!kPlain && options_.on_decision) {
      const Draw draw = workers_.draw(hints);
      chosen = workers_.choose(draw);
      if (chosen) options_.on_decision(loads(), draw, *chosen);
    } else {
      chosen = workers_.decide(hints);
    }
    ARTEL_REQUIRE(chosen.has_value(), "a policy names a worker when one has room");
    return *chosen;
  }

  /// Binds a task to this worker, which has room, or to an idle one that would take it over at
  /// once.
  template <bool kPlain = false>
  Placement bind_to(WorkerId id, Task&& task, const detail::TaskFacts& facts) {
    if (!kPlain && options_.take_over && loads().queued(id) > 0)
      id = loads().next(Group::idle, id).value_or(id);
    const auto& queue = bound_[id];
    const bool start = !queue.running && queue.tasks.empty();
    push<kPlain>(id, std::move(task), facts);
    return {Placement::Kind::assigned, id, start};
  }

  template <bool kPlain = false>
  void push(WorkerId id, Task&& task, const detail::TaskFacts& facts) {
    workers_.bind(id, facts.hints.size);
    bound_.template push<kPlain>(id, std::move(task), facts);
    ++counts_.waiting;
  }

  /// Binds held tasks as long as there is room; who got the first one is added to `woken`.
  template <bool kPlain = false>
  void bind_held(Instant now, std::vector<WorkerId>* woken = nullptr) {
    while (held_.usual() > 0 && workers_.open()) {
      auto next = held_.pop(Precedence::usual, now);
      const auto id = decide<kPlain>(next.facts.hints);
      const auto placement = bind_to<kPlain>(id, std::move(next.task), next.facts);
      if (placement.start && woken != nullptr) woken->push_back(placement.worker);
    }
  }

  void move_front(WorkerId from, WorkerId to) {
    auto taken = bound_.template take_front<false>(from);
    workers_.unbind(from, taken.facts.hints.size);
    --counts_.waiting;
    push(to, std::move(taken.task), taken.facts);
  }

  /// Whether new tasks wait behind held ones, though a worker may have room.
  [[nodiscard]] bool queues_behind_held() const { return steals() && held_.usual() > 0; }
  [[nodiscard]] bool steals() const { return options_.stealing != Stealing::none; }

  /// Gives a worker that has run out something to do, if that is wanted: the task that has waited
  /// longest elsewhere, with take_over; else see Stealing.
  void find_work(WorkerId id, Instant now) {
    if (const auto longest = bound_.waiting_longest()) return move_front(*longest, id);
    if (!steals()) return;
    if (options_.stealing == Stealing::before_held && steal_half(id)) return;
    if (held_.usual() == 0 && options_.stealing == Stealing::after_held) steal_half(id);
    for (auto room = loads().load(id).room(); room > 0 && held_.usual() > 0; --room) {
      auto next = held_.pop(Precedence::usual, now);
      push(id, std::move(next.task), next.facts);
    }
  }

  /// Half of what waits at the first worker after it where something waits; false: nowhere.
  bool steal_half(WorkerId id) {
    if (counts_.waiting == 0) return false;
    for (std::size_t i = 1; i < bound_.size(); ++i) {
      const WorkerId from = worker((index(id) + i) % bound_.size());
      const std::size_t there = waiting(from);
      if (there == 0) continue;
      const std::size_t room = std::min(kStolenMax, loads().load(id).room());
      for (auto left = std::min((there + 1) / 2, room); left > 0; --left) move_front(from, id);
      return true;
    }
    return false;
  }

  /// The beacons that the worker has reached with its last task.
  void report_reached(detail::QueuedBeacons& beacons, WorkerId id, Instant now) {
    beacons.finished(id);
    while (const auto reached = beacons.reached(id, loads().queued(id), now))
      workers_.report(*reached);
  }

  /// The worker gets nothing more: gives back what is to go to others.
  void give_back(WorkerId id, Leaving how, Instant now, std::vector<WorkerId>& woken) {
    while (how == Leaving::reassign && waiting(id) > 0) {
      auto waiting = bound_.template take_front<false>(id);
      workers_.unbind(id, waiting.facts.hints.size);
      --counts_.waiting;
      held_.give_back(std::move(waiting));
    }
    bind_held(now, &woken);
  }

  DispatcherOptions options_;
  bool plain_ = false;  // see choose_path()
  WorkerTable workers_;
  Needs needs_;    // of the policy
  Counts counts_;  // all but `held`
  detail::BoundTasks<Task> bound_;
  detail::HeldTasks<Task> held_;
};

}  // namespace artel::dispatch
