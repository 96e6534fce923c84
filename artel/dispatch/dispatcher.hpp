#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/controller.hpp"
#include "artel/dispatch/detail/beacon_loop.hpp"
#include "artel/dispatch/detail/indexed_heap.hpp"
#include "artel/dispatch/detail/task_queue.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/indexed_loads.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/dispatch/weighted_cycle.hpp"
#include "artel/dispatch/weighted_round_robin.hpp"
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
///          long as they get. Per waiting task sizeof(Task) + 1/2 byte, and a WaitingInfo (24
///          bytes) if the policy needs size, work or delay, or with take_over.
/// Requires: Task moves without throwing. Times never go back; hosts whose policy needs neither
/// work
///          nor delay nor a closed loop may leave them out.
/// Threads: one at a time.
/// Source:  TaskManager with bounded executor queues; resizing as in YAWP.
template <class Task>
class Dispatcher {
 public:
  explicit Dispatcher(DispatcherOptions options)
      : options_(std::move(options)),
        needs_(host_needs(options_)),
        dice_state_(options_.seed),
        loads_(needs_),
        members_(options_.limits),
        store_(std::make_unique<detail::TaskQueueStore<Task>>(needs_.size || needs_.delay ||
                                                              options_.take_over)),
        common_(*store_),
        returned_(*store_) {
    if (const auto* policy = std::get_if<ClosedLoop>(&options_.policy)) loop_.emplace(*policy);
  }

  /// A task arrives, with the service time it is expected to take (0: unknown). It is moved from
  /// unless it is rejected.
  Placement arrived(Task&& task, Instant now = {}, Duration size = {}) {
    ++counts_.arrived;
    loads_.advance(now);
    const detail::WaitingInfo info{.order = counts_.arrived, .size = size, .bound = now};
    if (loads_.count(Group::open) > 0 && !queues_behind_held()) {
      return bind(std::move(task), info);
    }
    if (held() < options_.common_capacity) {
      common_.push(std::move(task), info);
      return {Placement::Kind::held, {}, false};
    }
    ++counts_.rejected;
    return {Placement::Kind::rejected, {}, false};
  }

  /// A task arrives that somebody else's decision sends to a certain worker (a dispatcher with its
  /// own picture of the loads). When that worker has no room, it is as if it had just arrived().
  Placement arrived_at(WorkerId id, Task&& task, Instant now = {}, Duration size = {}) {
    (void)at(id);
    loads_.advance(now);
    if (loads_.load(id).room() == 0 || queues_behind_held())
      return arrived(std::move(task), now, size);
    ++counts_.arrived;
    return bind_to(id, std::move(task), {.order = counts_.arrived, .size = size, .bound = now});
  }

  /// The worker, which runs nothing, takes its next task; nothing if there is none for it.
  [[nodiscard]] std::optional<Task> start(WorkerId id, Instant now = {}) {
    Worker& worker = at(id);
    ARTEL_REQUIRE(!worker.running, "the worker runs a task", index(id));
    loads_.advance(now);
    if (worker.queue.empty() && options_.take_over) take_over(id);
    if (worker.queue.empty() && steals() && members_.working(id)) steal(id, now);
    if (worker.queue.empty()) {
      if (needs_.delay) loads_.set_delay(id, Duration{0});
      return std::nullopt;
    }
    auto next = take_front(id);
    worker.running = true;
    --counts_.waiting;
    ++counts_.running;
    loads_.start(id, next.info.size);
    if (needs_.delay) loads_.set_delay(id, now - next.info.bound);
    return std::move(next.task);
  }

  /// The task that the worker runs has ended. Its place goes to a held task, if there is one.
  void finished(WorkerId id, Instant now = {}) {
    Worker& worker = at(id);
    ARTEL_REQUIRE(worker.running, "the worker runs nothing", index(id));
    worker.running = false;
    --counts_.running;
    ++counts_.finished;
    loads_.advance(now);
    loads_.finish(id);
    if (!steals()) bind_held(now);
    if (loop_) loop_->finished(id, loads_.load(id).queued, now);
    if (worker.queue.empty() && members_.leaving(id)) members_.gone(id);
  }

  /// A worker joins; held tasks are bound to it: have it start(). Errors: beyond the maximum.
  [[nodiscard]] Result<WorkerId> join(const WorkerCapacity& options, Instant now = {}) {
    ARTEL_REQUIRE(options.capacity > 0, "a worker has room for one task at least");
    const auto id = members_.join();
    if (!id) return id;
    while (workers_.size() < members_.ids()) workers_.emplace_back(*store_);
    loads_.advance(now);
    loads_.resize(members_.ids());
    loads_.set(*id, Load{.capacity = options.capacity, .weight = options.weight});
    members_changed_ = true;
    if (loop_) loop_->join(*id, options.weight, now);
    bind_held(now);
    return id;
  }

  /// That many workers join, all or none; returns them: have each start(). Errors: as join().
  [[nodiscard]] Result<std::vector<WorkerId>> grow(std::size_t workers,
                                                   const WorkerCapacity& options,
                                                   Instant now = {}) {
    if (const auto allowed = members_.check_grow(workers); !allowed) return fail(allowed);
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
    if (const auto left = members_.leave(id); !left) return fail(left);
    std::vector<WorkerId> woken;
    depart(id, how, now, woken);
    return woken;
  }

  /// That many workers leave, those with the highest ids; all or none. Returns as leave(). Errors:
  /// below the minimum, already shrinking.
  [[nodiscard]] Result<std::vector<WorkerId>> shrink(std::size_t workers,
                                                     Leaving how = Leaving::drain,
                                                     Instant now = {}) {
    if (const auto allowed = members_.check_shrink(workers); !allowed) return fail(allowed);
    std::vector<WorkerId> woken;
    for (std::size_t i = members_.ids(); workers > 0 && i-- > 0;) {
      if (!members_.leave(worker(i))) continue;
      depart(worker(i), how, now, woken);
      --workers;
    }
    return woken;
  }

  /// Removes a worker at once, leaving or not, whatever the minimum: it died, or drained too long.
  /// Its running task counts as abandoned; what waits goes to the others. Returns as leave().
  /// Errors: no such worker.
  [[nodiscard]] Result<std::vector<WorkerId>> remove(WorkerId id, Instant now = {}) {
    if (!members_.working(id) && !members_.leaving(id)) {
      return fail(ErrorCode::not_found, fmt::format("no worker {}", index(id)));
    }
    if (std::exchange(at(id).running, false)) {
      --counts_.running;
      ++counts_.abandoned;
      loads_.finish(id);
    }
    std::vector<WorkerId> woken;
    depart(id, Leaving::reassign, now, woken);
    return woken;
  }

  /// Sends a beacon through every worker's queue: due every ClosedLoop::beacon_every. Does nothing
  /// under other policies.
  void send_beacons(Instant now) {
    if (!loop_) return;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      const WorkerId id = worker(i);
      if (members_.working(id)) loop_->send(id, waiting(id), running(id), now);
    }
  }

  /// A beacon that the host sent by itself came back.
  void beacon(const BeaconReport& report) {
    if (loop_) loop_->report(report);
  }

  /// Publishes a new distribution: due every ClosedLoop::publish_every. Does nothing under other
  /// policies.
  void publish(Instant now) {
    if (loop_) loop_->publish(now);
  }

  /// Has `hear` told of every task that is bound to a worker: at once, after it was held, or taken
  /// over.
  void on_bound(std::function<void(const Task&, WorkerId)> hear) { on_bound_ = std::move(hear); }

  /// The distribution in force; nullptr under policies that do not sample one.
  [[nodiscard]] const Shares* shares() { return loop_ ? &loop_->shares() : nullptr; }
  /// Whose turn it is; nullptr under policies that do not go by it.
  [[nodiscard]] const WeightedCycle* cycle() {
    if (!needs_.cycle) return nullptr;
    if (members_changed_) cycle_ = weighted_cycle_of(loads_);
    members_changed_ = false;
    return &cycle_;
  }

  [[nodiscard]] Counts counts() const {
    Counts counts = counts_;
    counts.held = held();
    return counts;
  }
  [[nodiscard]] const IndexedLoads& loads() const { return loads_; }
  [[nodiscard]] const Membership& members() const { return members_; }
  [[nodiscard]] std::size_t held() const { return common_.size() + returned_.size(); }
  /// Tasks that wait in the worker's queue, the running one not included.
  [[nodiscard]] std::size_t waiting(WorkerId id) const { return workers_[index(id)].queue.size(); }
  [[nodiscard]] bool running(WorkerId id) const { return workers_[index(id)].running; }

 private:
  /// Taking over and stealing ask for idle workers, too.
  static Needs host_needs(const DispatcherOptions& options) {
    Needs needs = dispatch::needs(options.policy);
    needs.idle |= options.take_over || options.stealing != Stealing::none;
    return needs;
  }

  struct Worker {
    explicit Worker(detail::TaskQueueStore<Task>& store) : queue(store) {}
    detail::TaskQueue<Task> queue;
    bool running = false;
  };

  [[nodiscard]] Worker& at(WorkerId id) {
    ARTEL_REQUIRE(index(id) < workers_.size(), "no such worker", index(id));
    return workers_[index(id)];
  }

  /// Names a worker with room; there is one.
  [[nodiscard]] WorkerId decide(Duration size) {
    Draw draw{.turn = turn_++, .size = size, .shares = shares(), .cycle = cycle()};
    if (needs_.dice) draw.dice = splitmix64(dice_state_);
    const auto chosen = choose(options_.policy, loads_, draw);
    ARTEL_REQUIRE(chosen.has_value(), "a policy names a worker when one has room");
    if (options_.on_decision) options_.on_decision(loads_, draw, *chosen);
    return *chosen;
  }

  /// Binds a task to a worker; somebody has room.
  Placement bind(Task&& task, const detail::WaitingInfo& info) {
    return bind_to(decide(info.size), std::move(task), info);
  }

  /// Binds a task to this worker, which has room, or to an idle one that would take it over at
  /// once.
  Placement bind_to(WorkerId id, Task&& task, const detail::WaitingInfo& info) {
    if (options_.take_over && loads_.load(id).queued > 0) {
      id = loads_.next(Group::idle, id).value_or(id);
    }
    const Worker& worker = workers_[index(id)];
    const bool start = !worker.running && worker.queue.empty();
    push(id, std::move(task), info);
    return {Placement::Kind::assigned, id, start};
  }

  void push(WorkerId id, Task&& task, const detail::WaitingInfo& info) {
    Worker& worker = workers_[index(id)];
    loads_.bind(id, info.size);
    if (on_bound_) on_bound_(task, id);
    worker.queue.push(std::move(task), info);
    ++counts_.waiting;
    if (worker.queue.size() == 1) front_changed(id);
  }

  /// Binds held tasks as long as there is room; adds the workers that got their first one to
  /// `woken`.
  void bind_held(Instant now, std::vector<WorkerId>* woken = nullptr) {
    while (held() > 0 && loads_.count(Group::open) > 0) {
      auto next = returned_.empty() ? common_.pop() : returned_.pop();
      next.info.bound = now;
      const Placement placement = bind(std::move(next.task), next.info);
      if (placement.start && woken != nullptr) woken->push_back(placement.worker);
    }
  }

  /// Gives an idle worker the task that has waited longest elsewhere, if that is wanted.
  void take_over(WorkerId id) {
    if (oldest_.empty() || !members_.working(id)) return;
    move_front(oldest_.top().id, id);
  }

  void move_front(WorkerId from, WorkerId to) {
    auto taken = take_front(from);
    loads_.unbind(from, taken.info.size);
    loads_.bind(to, taken.info.size);
    if (on_bound_) on_bound_(taken.task, to);
    workers_[index(to)].queue.push(std::move(taken.task), taken.info);
    if (members_.leaving(from) && loads_.load(from).queued == 0) members_.gone(from);
  }

  /// Whether new tasks wait behind held ones, though a worker may have room.
  [[nodiscard]] bool queues_behind_held() const { return steals() && held() > 0; }

  [[nodiscard]] bool steals() const { return options_.stealing != Stealing::none; }

  /// Gives a worker that has run out something to do: see Stealing.
  void steal(WorkerId id, Instant now) {
    if (options_.stealing == Stealing::before_held && steal_half(id)) return;
    if (held() == 0 && options_.stealing == Stealing::after_held) steal_half(id);
    for (auto room = loads_.load(id).room(); room > 0 && held() > 0; --room) {
      auto next = returned_.empty() ? common_.pop() : returned_.pop();
      next.info.bound = now;
      push(id, std::move(next.task), next.info);
    }
  }

  /// Half of what waits at the first worker after it where something waits; false: nowhere.
  bool steal_half(WorkerId id) {
    if (counts_.waiting == 0) return false;
    for (std::size_t i = 1; i < workers_.size(); ++i) {
      const WorkerId from = worker((index(id) + i) % workers_.size());
      const std::size_t there = workers_[index(from)].queue.size();
      if (there == 0) continue;
      const std::size_t room = std::min(kStolenMax, loads_.load(id).room());
      for (auto left = std::min((there + 1) / 2, room); left > 0; --left) move_front(from, id);
      return true;
    }
    return false;
  }

  typename detail::TaskQueue<Task>::Waiting take_front(WorkerId id) {
    auto front = workers_[index(id)].queue.pop();
    front_changed(id);
    if (loop_) loop_->taken(id);
    return front;
  }

  /// Another task, or none, is first in the worker's queue now.
  void front_changed(WorkerId id) {
    if (!options_.take_over) return;
    const detail::TaskQueue<Task>& queue = workers_[index(id)].queue;
    if (oldest_.contains(id)) oldest_.remove(id);
    if (!queue.empty()) oldest_.push(id, queue.front_info().order);
  }

  /// Gives the worker nothing more, and back what is to go to others.
  void depart(WorkerId id, Leaving how, Instant now, std::vector<WorkerId>& woken) {
    loads_.advance(now);
    while (how == Leaving::reassign && !workers_[index(id)].queue.empty()) {
      auto waiting = take_front(id);
      loads_.unbind(id, waiting.info.size);
      --counts_.waiting;
      returned_.push(std::move(waiting.task), waiting.info);
    }
    Load load = loads_.load(id);
    load.capacity = 0;
    loads_.set(id, load);
    members_changed_ = true;
    if (loop_) loop_->leave(id, now);
    if (load.queued == 0) members_.gone(id);
    bind_held(now, &woken);
  }

  DispatcherOptions options_;
  std::function<void(const Task&, WorkerId)> on_bound_;
  Needs needs_;
  std::uint64_t turn_ = 0;
  std::uint64_t dice_state_;
  Counts counts_;  // all but `held`
  IndexedLoads loads_;
  Membership members_;
  WeightedCycle cycle_;  // as of the last change of members that a decision saw
  bool members_changed_ = false;
  std::optional<detail::BeaconLoop> loop_;  // under ClosedLoop only
  std::unique_ptr<detail::TaskQueueStore<Task>> store_;
  detail::TaskQueue<Task> common_;
  detail::TaskQueue<Task> returned_;  // from workers that left; older than all of common_
  std::vector<Worker> workers_;
  detail::IndexedHeap<std::uint64_t>
      oldest_;  // workers with tasks waiting, by arrival; take_over only
};

}  // namespace artel::dispatch
