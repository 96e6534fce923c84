#pragma once

namespace artel::pool {

namespace detail {
class Worker;
}  // namespace detail

/// A worker's thread, as something that lives on it sees it: for hosts that keep a state on every
/// worker (hosted_task.hpp).
///
/// A slot has one thread at a time, but not always the same: a thread whose task waits or stalls is
/// replaced, and goes on without the slot until that task has ended.
/// Cost:    a pointer.
/// Threads: the worker's own, as long as PoolOptions::on_stop has not returned there.
class WorkerHandle {
 public:
  /// Requires: we are on a worker's thread (in a task, in on_start, on_attend or on_stop).
  [[nodiscard]] static WorkerHandle of_this_thread();

  /// Keeps tasks from the slot until resume(), while its thread prepares for them: what waits there
  /// goes to other workers, and resize() counts it as open. It ends by itself when the
  /// slot's thread, or one after it, has nothing to do. False: the slot is not ours any more.
  bool pause();
  /// Ends that; does nothing if the slot is not ours any more.
  void resume();

  /// Whether the slot is still ours. That it is not can be known before the task that it was taken
  /// from has ended.
  [[nodiscard]] bool owns_slot() const;
  /// Whether the pool takes no more tasks; those that it has may still be run here.
  [[nodiscard]] bool pool_closed() const;
  /// Whether no more tasks will be run here: the pool drops what waits, or has become smaller.
  [[nodiscard]] bool leaving() const;

 private:
  explicit WorkerHandle(detail::Worker& worker) : worker_(&worker) {}

  detail::Worker* worker_;
};

}  // namespace artel::pool
