#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "artel/core/id.hpp"
#include "artel/pool/detail/common_queue.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/sync/cache_line_pair.hpp"
#include "artel/sync/idle_set.hpp"

namespace artel::pool::detail {

/// Where the tasks of a pool wait, and which of its workers are parked: a slot with a ring for each
/// worker, the common queue, the idle set.
///
/// Invariants:
///  K2  After close() nothing is accepted; what was accepted before is run, or dropped as
///      cancelled: closing refuses tasks from outside, and leaves what waits to the workers.
/// Slots 0 to open_count() - 1 are those that policies choose among; the others are vacant, or
/// leaving (worker_threads.hpp, W2).
/// Threads: any; open(), close(slot) and close() by one at a time (WorkerThreads holds its lock).
class PoolQueues {
 public:
  /// Requires: options that passed check().
  explicit PoolQueues(const PoolOptions& options);
  PoolQueues(const PoolQueues&) = delete;
  PoolQueues& operator=(const PoolQueues&) = delete;

  [[nodiscard]] std::span<WorkerSlot> slots() const { return {slots_.get(), size_}; }
  [[nodiscard]] WorkerSlot& slot(WorkerId id) const { return slots_[index(id)]; }
  [[nodiscard]] CommonQueue& common() { return common_; }
  [[nodiscard]] const CommonQueue& common() const { return common_; }
  [[nodiscard]] sync::IdleSet& idle() { return idle_; }
  [[nodiscard]] const sync::IdleSet& idle() const { return idle_; }

  /// The slot that the worker on this thread was made for, served by it or by whom it gave it to;
  /// null outside of this pool's workers.
  [[nodiscard]] WorkerSlot* home_of_this_thread() const {
    WorkerSlot* const home = home_slot;
    return home != nullptr && index(home->id) < size_ && &slot(home->id) == home ? home : nullptr;
  }

  // ---- Which queues take tasks

  void open(WorkerSlot& slot);
  void close(WorkerSlot& slot);
  /// Whether the slot takes tasks, without changing how many are open.
  static void let_in(WorkerSlot& slot, bool tasks);
  [[nodiscard]] unsigned open_count() const { return open_count_.load(std::memory_order_relaxed); }

  /// All of them, for good.
  void close();
  [[nodiscard]] bool closed() const { return closed_.load(); }
  /// From now on workers drop what they take from the queues.
  void cancel_pending() { cancelling_.store(true); }
  /// While paused workers take nothing from the queues.
  void set_paused(bool paused) { paused_.store(paused); }
  [[nodiscard]] bool paused() const { return paused_.load(); }
  [[nodiscard]] bool cancelling() const { return cancelling_.load(std::memory_order_relaxed); }

  // ---- What waits

  [[nodiscard]] bool anything_queued() const;
  /// Ends what waits as cancelled; how many jobs they were. Those that get in meanwhile are left,
  /// unless the queues are closed.
  std::size_t drop_all(Runner& runner);
  /// How often that was done: for what waits elsewhere (strands).
  [[nodiscard]] std::uint64_t drops() const { return drops_.load(); }
  /// Tasks accepted so far; exact when nobody submits.
  [[nodiscard]] std::uint64_t accepted() const;

 private:
  // Read by every submission, and never written again.
  const std::size_t size_;
  const std::unique_ptr<WorkerSlot[]> slots_;

  // Written when workers park (in the heap, that is: the set itself only points there), and by
  // resize and stop.
  alignas(sync::kCacheLinePair) sync::IdleSet idle_;
  std::atomic<bool> closed_ = false;
  std::atomic<bool> cancelling_ = false;
  std::atomic<bool> paused_ = false;
  std::atomic<unsigned> open_count_ = 0;
  std::atomic<std::uint64_t> drops_ = 0;

  alignas(sync::kCacheLinePair) CommonQueue common_;
};

}  // namespace artel::pool::detail
