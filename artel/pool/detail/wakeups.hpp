#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/pool/detail/pool_queues.hpp"
#include "artel/pool/detail/room_queue.hpp"
#include "artel/pool/detail/watchdog.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/sync/cache_line_pair.hpp"
#include "artel/sync/idle_set.hpp"

namespace artel::pool::detail {

class Accounts;
class Job;

/// Who is woken, and when it pays: parked workers after a task was queued, submitters after room
/// was made.
///
/// parker.hpp has the protocol between a submitter and a worker that is about to park (P1 to P6).
/// Here is the submitter's side:
///   after_push()    S2 and S3 for a task in a worker's own queue. If that worker is parked it is
///                   always woken (P3). Otherwise another one may help: if the wake-up pays, one is
///                   woken, else it is enough that there is a watchdog (P4).
///   after_common()  the same for the common queue, where no worker is bound to come by itself.
///   summon_watchdog()  sees that there is one, or that one is on its way (P5, P6).
/// The worker's side is in Worker::sleep(), withdraw() and watch().
/// Threads: any.
class Wakeups {
 public:
  /// Tasks at least this long may be waiting for something rather than computing, so that more
  /// workers than processors can make sense; and a wake-up is small beside them.
  static constexpr Duration kLong = std::chrono::microseconds(20);

  Wakeups(PoolQueues& queues, const Accounts& accounts);
  Wakeups(const Wakeups&) = delete;
  Wakeups& operator=(const Wakeups&) = delete;

  // ---- Whether it pays

  /// Whether waking a parked worker brings more than it costs, with so much work waiting for those
  /// that are awake.
  [[nodiscard]] bool wake_pays(Duration backlog) const;
  /// Whether a worker without work may take some of the so many tasks that wait at another: not if
  /// they are done sooner where they are, or more workers are awake than processors can run.
  [[nodiscard]] bool stealing_pays(std::uint32_t waiting, const WorkerSlot& thief) const;
  /// Whether a worker without work may look out for some before it sleeps: while there are
  /// processors for it and for whoever submits.
  [[nodiscard]] bool spinning_pays() const;

  // ---- Workers

  /// A task was added to the slot's queue; `no_wake`: its submitter found that waking did not pay.
  void after_push(WorkerSlot& slot, bool no_wake) {
    const sync::IdleSet& idle = queues_.idle();
    if (idle.contains(slot.id)) {
      wake(slot);
    } else if (idle.any() && (!no_wake || !watchdog_.present())) {
      consider_helper(slot);
    }
  }
  /// A task was added to the common queue.
  void after_common();
  /// Wakes the worker if it is parked and nobody else does.
  void wake(WorkerSlot& slot);
  void wake_all();
  /// Puts jobs that were accepted before at the head of the common queue, and sees that they run.
  /// How many of them: all, unless there is no more memory.
  std::size_t put_back(std::span<Job> jobs) noexcept;
  /// The same with what waits at a slot that takes no tasks.
  void reclaim(WorkerSlot& slot) noexcept;

  Watchdog& watchdog() { return watchdog_; }
  /// Wakes some parked worker to become the watchdog, unless there is one or one is on its way.
  void summon_watchdog();
  /// The same, if anything is queued: by a worker that comes from idling and is about to run a
  /// task, and so will not look after the rest (P4).
  void leave_queues_watched() {
    if (queues_.idle().any() && !watchdog_.present() && queues_.anything_queued()) {
      summon_watchdog();
    }
  }

  // ---- Submitters that wait for room

  [[nodiscard]] RoomQueue& room() { return room_; }
  /// Tells them, after a task was taken from a queue.
  void room_made() {
    if (room_.any()) [[unlikely]] {
      offer_room();
    }
  }

 private:
  [[nodiscard]] std::size_t awake_approx() const;
  void unpark(WorkerSlot& slot);
  bool wake_any();
  void consider_helper(const WorkerSlot& slot);
  void wake_if_it_pays(std::size_t waiting);
  void offer_room();

  PoolQueues& queues_;
  const Accounts& accounts_;
  const unsigned processors_;

  alignas(sync::kCacheLinePair) Watchdog watchdog_;
  RoomQueue room_;
};

}  // namespace artel::pool::detail
