#pragma once

#include <atomic>
#include <cstdint>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/job_ring.hpp"
#include "artel/pool/detail/measurements.hpp"
#include "artel/pool/detail/outcome_counts.hpp"
#include "artel/pool/detail/slot_latency.hpp"
#include "artel/stat/smoothed_time.hpp"
#include "artel/sync/cache_line_pair.hpp"
#include "artel/sync/parker.hpp"

namespace artel::pool::detail {

class Worker;

/// The thread that serves a slot, as it is known to those that wake it.
class SlotOwner {
 public:
  SlotOwner() = default;
  SlotOwner(const SlotOwner&) = delete;
  SlotOwner& operator=(const SlotOwner&) = delete;
  void unpark() { parker_.unpark(); }
  bool park(Duration timeout = kForever) { return parker_.park(timeout); }

 protected:
  ~SlotOwner() = default;

 private:
  sync::Parker parker_;
};

/// Values of WorkerSlot::phase: a number that grows with every task, and whether one runs.
struct Phase {
  static std::uint64_t next(std::uint64_t phase) { return (phase | 1U) + 2; }
  static std::uint64_t between(std::uint64_t running) { return running - 1; }
  static bool running(std::uint64_t phase) { return (phase & 1U) != 0; }
};

/// One worker as the rest of the pool sees it: an id, a queue, accounts. The thread that serves it
/// may be replaced.
///
/// Invariants:
///  L1  `owner` is the thread that serves the slot: only it pops for running, parks for it and adds
///      to `counts`. The owner itself gives the slot away (before it waits inside a task, between
///      two tasks to a thread that comes back from such a wait, or when it leaves); or it is taken
///      from an owner that is parked, by whoever has taken its bit out of the idle set, or from one
///      that is running a task for too long (L2).
///  L2  With stall detection the owner moves `phase` to running before a task and back after it,
///      by compare-and-swap; the monitor takes the slot over by moving running to between. So
///      exactly one of "the task ended in time" and "the slot was taken" happens, and the loser
///      learns of it.
struct WorkerSlot {
  // What submitters read.
  JobRing ring;
  alignas(sync::kCacheLinePair) std::atomic<bool> busy =
      false;                         ///< its thread is in a task, or between two
  std::atomic<bool> open = false;    ///< takes new tasks
  std::atomic<bool> paused = false;  ///< its owner has asked for no tasks; see WorkerThreads, W4
  WorkerId id{};
  float weight = 1;
  std::uint32_t bound = 0;                  ///< tasks that may wait here; 0: by measured work
  stat::SmoothedTime delay;                 ///< how long its tasks wait
  std::atomic<std::int64_t> work_ns = 0;    ///< hinted service of tasks that have not begun
  std::atomic<std::int64_t> ends_ns = 0;    ///< when the running one will have ended, by its hint
  SlotLatency latency;                      ///< of its tasks, if the policy reads it
  std::atomic<std::uint32_t> failures = 0;  ///< of those measured, since the last that did not fail

  /// How long the worker takes for what takes so long at a weight of 1.
  [[nodiscard]] Duration at_speed(Duration work) const {
    return weight == 1 ? work : from_seconds(to_seconds(work) / double{weight});
  }

  // What its own thread writes.
  alignas(sync::kCacheLinePair) OutcomeCounts counts;
  std::atomic<SlotOwner*> owner = nullptr;
  std::atomic<bool> in_task = false;            ///< or in what follows from its end
  std::atomic<std::uint64_t> phase = 0;         ///< see L2 and Phase
  std::atomic<std::int64_t> idle_ns = 0;        ///< time without work, finished idle spells
  std::atomic<std::int64_t> idle_since_ns = 0;  ///< 0: not idle
  std::atomic<std::int64_t> started_ns = 0;     ///< when it was first served
  std::atomic<std::uint64_t> stalls = 0;
  std::atomic<bool> attention = false;  ///< its thread is to call PoolOptions::on_attend
  /// Threads that come back from a wait inside a task, and go on when the owner is between two.
  std::atomic<unsigned> returning = 0;
  std::uint64_t taken_seen = 0;  ///< of the ring, by the watchdog at its last look

  // Threads made for the slot that do not own it; guarded by the lock of WorkerThreads.
  Worker* spare = nullptr;            ///< the last that went to sleep, with those before it
  Worker* first_returning = nullptr;  ///< in order of their coming back
  Worker* last_returning = nullptr;
  std::atomic<std::int64_t> beacon_seen_ns =
      0;                                        ///< when its thread last reached a beacon; 0: never
  std::atomic<std::int64_t> beacon_gap_ns = 0;  ///< between the last two
  std::atomic<std::int64_t> beacon_sent_ns = 0;  ///< the oldest it has not reached; 0: none
  Measurements measured;

  // When it gets its first owner, or one after it had none.
  void begin_service(Instant now) {
    if (started_ns.load() != 0) {
      end_idle(now);
      return;
    }
    busy.store(true);
    started_ns.store(now.time_since_epoch().count());
  }
  // By its owner, and by whoever takes it from an owner that is parked.
  void begin_idle(Instant now) {
    busy.store(false);
    // A task that goes on elsewhere is not the worker's any more.
    if (ends_ns.load(std::memory_order_relaxed) != 0) ends_ns.store(0, std::memory_order_relaxed);
    idle_since_ns.store(now.time_since_epoch().count(), std::memory_order_relaxed);
  }
  Duration end_idle(Instant now) {
    busy.store(true);
    const Duration spell = now.time_since_epoch() - Duration{idle_since_ns.exchange(0)};
    idle_ns.store(idle_ns.load(std::memory_order_relaxed) + spell.count(),
                  std::memory_order_relaxed);
    return spell;
  }
};

/// The slot that the worker on this thread was made for; null outside of workers.
inline constinit thread_local WorkerSlot* home_slot = nullptr;

}  // namespace artel::pool::detail
