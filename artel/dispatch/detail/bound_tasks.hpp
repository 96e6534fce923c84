#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/detail/indexed_heap.hpp"
#include "artel/dispatch/detail/queued_beacons.hpp"
#include "artel/dispatch/detail/task_queue.hpp"

namespace artel::dispatch::detail {

/// The tasks that are bound to workers, in a queue of each, and who goes by them: beacons under a
/// closed loop, the host if it wants to hear, and with take_over who has had one waiting longest.
///
/// kPlain: nobody does, nor are facts kept: the caller knows that it is plain().
/// Cost:    O(1) per task; O(log workers) with take_over.
/// Threads: one at a time.
template <class Task>
class BoundTasks {
 public:
  using Waiting = typename TaskQueue<Task>::Waiting;

  /// Whether facts are kept, and who goes by the tasks.
  struct Options {
    bool keeps_facts = false;
    bool take_over = false;
    bool beacons = false;
  };
  explicit BoundTasks(const Options& options)
      : store_(std::make_unique<TaskQueueStore<Task>>(options.keeps_facts)),
        take_over_(options.take_over) {
    if (options.beacons) beacons_.emplace();
  }

  [[nodiscard]] bool plain() const {
    return !store_->keeps_facts && !take_over_ && !beacons_ && !hear_;
  }
  /// For the queues of tasks that are not bound.
  [[nodiscard]] TaskQueueStore<Task>& store() { return *store_; }
  /// Under a closed loop; else none.
  [[nodiscard]] std::optional<QueuedBeacons>& beacons() { return beacons_; }
  void on_bound(std::function<void(const Task&, WorkerId)> hear) { hear_ = std::move(hear); }

  [[nodiscard]] std::size_t size() const { return workers_.size(); }
  /// What the worker has.
  [[nodiscard]] WorkerTasks<Task>& at(WorkerId id) {
    ARTEL_REQUIRE(index(id) < workers_.size(), "no such worker", index(id));
    return workers_[index(id)];
  }
  [[nodiscard]] WorkerTasks<Task>& operator[](WorkerId id) { return workers_[index(id)]; }
  [[nodiscard]] const WorkerTasks<Task>& operator[](WorkerId id) const {
    return workers_[index(id)];
  }

  /// Makes room for ids below `ids`; the worker `id` is new.
  void join(WorkerId id, std::size_t ids) {
    while (workers_.size() < ids) workers_.emplace_back(*store_);
    if (beacons_) beacons_->join(id);
  }

  /// The task is bound to the worker, though it need not come to its queue: see push().
  void tell(const Task& task, WorkerId id) const {
    if (hear_) hear_(task, id);
  }

  template <bool kPlain>
  void push(WorkerId id, Task&& task, const TaskFacts& facts) {
    TaskQueue<Task>& queue = workers_[index(id)].tasks;
    if (!kPlain) tell(task, id);
    queue.template push<kPlain>(std::move(task), facts);
    if (kPlain) return;
    if (beacons_) beacons_->bound(id);
    if (queue.size() == 1) front_changed(id);
  }

  /// The first that waits at the worker. Requires: there is one.
  template <bool kPlain>
  Waiting take_front(WorkerId id) {
    auto front = workers_[index(id)].tasks.template pop<kPlain>();
    if (kPlain) return front;
    front_changed(id);
    if (beacons_) beacons_->taken(id);
    return front;
  }

  /// With take_over: who has the task that has waited longest; nobody if none waits.
  [[nodiscard]] std::optional<WorkerId> waiting_longest() const {
    if (oldest_.empty()) return std::nullopt;
    return oldest_.top().id;
  }

 private:
  /// Another task, or none, is first in the worker's queue now.
  void front_changed(WorkerId id) {
    if (!take_over_) return;
    const TaskQueue<Task>& queue = workers_[index(id)].tasks;
    if (oldest_.contains(id)) oldest_.remove(id);
    if (!queue.empty()) oldest_.push(id, queue.front_facts().order);
  }

  std::unique_ptr<TaskQueueStore<Task>> store_;
  bool take_over_;
  std::optional<QueuedBeacons> beacons_;
  std::function<void(const Task&, WorkerId)> hear_;
  std::vector<WorkerTasks<Task>> workers_;
  IndexedHeap<std::uint64_t> oldest_;  // with take_over: who has tasks waiting, by arrival
};

}  // namespace artel::dispatch::detail
