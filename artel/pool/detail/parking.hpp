#pragma once

#include <algorithm>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/watchdog.hpp"
#include "artel/sync/cache_line_pair.hpp"
#include "artel/sync/idle_set.hpp"
#include "artel/sync/std_atomics.hpp"

namespace artel::pool::detail {

/// Both sides of the parking protocol (P1 to P7 in parker.hpp): who sleeps, and who wakes whom.
///
/// What it decides by is asked of the pool:
///     unpark(id)          says that the worker is busy, then gives it its token
///     is_busy(id)         whether it is in a task, or between two; sequentially consistent
///     anything_queued()   sequentially consistent, over all queues
///     helper_pays(id), common_helper_pays()
///                         whether waking one more brings more than it costs, for what waits at
///                         this worker and in the common queue, or there alone
/// and of the worker that sleeps:
///     id()
///     must_leave()        whether it is to end
///     sees_work()         W2: sequentially consistent, over all queues that it may take from
///     before_parking()    is about to sleep; for those who wait for that
///     park(), park(timeout)   a timeout of zero: takes the token if it is there
///     others_awake()      whether there may be work that nobody looks after (P4)
///     look_at_queues()    remembers what has been taken from them
///     needs_help(pause)   whether, since that look `pause` ago, work has waited and hardly moved
///     rescue()            is to take from others although it would not pay
///
/// Cost:    for a submitter whose worker is awake one load or two; what is rare is kept out of
/// line. Threads: the submitter's side any, the worker's side the worker itself.
template <class Pool, class Atomics = sync::StdAtomics>
class Parking {
 public:
  Parking(Pool& pool, sync::BasicIdleSet<Atomics>& idle) : pool_(pool), idle_(idle) {}
  Parking(const Parking&) = delete;
  Parking& operator=(const Parking&) = delete;

  // ---- The submitter's side

  /// S2 and S3 for a task in a worker's own queue: if that worker is parked, it is woken (P3). Else
  /// another one may help; or, `no_wake`, it is enough that there is a watchdog (P4).
  void after_push(WorkerId id, bool no_wake) {
    if (idle_.contains(id)) {
      wake(id);
    } else if (idle_.any() && (!no_wake || !watchdog_.present())) {
      // If it is in no task, it will look before it parks (P3), and if it takes a task it will look
      // whether there is more after having said that it is busy (P4).
      if (pool_.is_busy(id)) wake_or_summon(pool_.helper_pays(id));
    }
  }
  /// The same for the common queue, where no worker is bound to come by itself.
  void after_common() {
    if (idle_.any()) wake_or_summon(pool_.common_helper_pays());
  }
  /// Wakes the worker if it is parked and nobody else does.
  [[gnu::noinline]] void wake(WorkerId id) {
    if (idle_.claim(id)) pool_.unpark(id);
  }
  void wake_all() {
    while (wake_any()) {
    }
  }
  /// Wakes some parked worker to become the watchdog, unless there is one or one is on its way (P5,
  /// P6).
  [[gnu::noinline]] void summon_watchdog() {
    do {
      if (watchdog_.present() || !watchdog_.summon() || wake_any()) return;
      // The summons reached nobody: it is taken back (P6).
      watchdog_.answer();
      // Meanwhile somebody may have parked without taking the role: it seemed to be taken.
    } while (idle_.any());
  }
  /// The same, if anything is queued: by a worker that comes from idling and is about to run a
  /// task, and so will not look after the rest (P4).
  void leave_queues_watched() {
    if (idle_.any() && !watchdog_.present() && pool_.anything_queued()) summon_watchdog();
  }

  // ---- The worker's side

  /// W1 to W4; the worker may be the watchdog meanwhile. False: it must leave.
  template <class Worker>
  bool sleep(Worker& worker) {
    idle_.insert(worker.id());
    if (worker.must_leave()) {
      withdraw(worker);
      leave_queues_watched();  // it may have been summoned
      return false;
    }
    if (worker.sees_work()) {
      withdraw(worker);
      return true;
    }
    worker.before_parking();
    if (worker.others_awake() && watchdog_.take(worker.id())) {
      watch(worker);
    } else {
      static_cast<void>(worker.park());
    }
    watchdog_.answer();
    return true;
  }

  BasicWatchdog<Atomics>& watchdog() { return watchdog_; }

 private:
  // False: none is parked.
  bool wake_any() {
    const auto id = idle_.claim_any();
    if (id) pool_.unpark(*id);
    return id.has_value();
  }
  [[gnu::noinline]] void wake_or_summon(bool pays) {
    if (pays) {
      static_cast<void>(wake_any());
    } else {
      summon_watchdog();
    }
  }

  template <class Worker>
  void withdraw(Worker& worker) {
    if (idle_.claim(worker.id())) {
      if (!worker.park(Duration::zero())) return;  // no token: the bit was its own
      // WorkerThreads::come_back() stores the token under its lock. The slot's bit is set again
      // later, by the same thread or by a later holder of that lock. The claim has read that bit,
      // and all of them are sequentially consistent, so park() cannot miss the token.
      pool_.unpark(worker.id());  // P7
    } else {
      static_cast<void>(worker.park());  // another thread took the bit: the token comes
    }
    watchdog_.answer();
  }

  template <class Worker>
  void watch(Worker& worker) {
    worker.look_at_queues();
    for (Duration pause = kFirstLook;; pause = std::min(pause * 2, kLastLook)) {
      if (worker.park(pause)) {
        watchdog_.resign();
        if (pool_.anything_queued()) summon_watchdog();
        return;
      }
      if (!pool_.anything_queued()) {
        watchdog_.resign();
        if (!pool_.anything_queued() || !watchdog_.take(worker.id())) {
          static_cast<void>(worker.park());
          return;
        }
      }
      if (worker.needs_help(pause)) {
        watchdog_.resign();
        withdraw(worker);
        worker.rescue();
        summon_watchdog();
        return;
      }
      worker.look_at_queues();
    }
  }

  static constexpr Duration kFirstLook = BasicWatchdog<Atomics>::kFirstLook;
  static constexpr Duration kLastLook = BasicWatchdog<Atomics>::kLastLook;

  Pool& pool_;
  sync::BasicIdleSet<Atomics>& idle_;
  alignas(sync::kCacheLinePair) BasicWatchdog<Atomics> watchdog_;
};

}  // namespace artel::pool::detail
