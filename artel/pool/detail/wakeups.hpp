#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/parking.hpp"
#include "artel/pool/detail/pool_queues.hpp"
#include "artel/pool/detail/worker_slot.hpp"

namespace artel::pool::detail {

class Accounts;
class Job;

/// Who is woken, and when it pays: parked workers after a task was queued, submitters after room
/// was made.
///
/// parker.hpp has the protocol between a submitter and a worker that is about to park (P1 to P7),
/// parking.hpp the steps of both.
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
  /// Whether there are more processors than workers awake: then one without work may look out for
  /// some before it sleeps, and whoever submits has a processor, too.
  [[nodiscard]] bool processor_free() const;

  // ---- Workers

  /// A task was added to the slot's queue; `no_wake`: its submitter found that waking did not pay.
  void after_push(const WorkerSlot& slot, bool no_wake) { parking_.after_push(slot.id, no_wake); }
  /// A task was added to the common queue.
  void after_common() { parking_.after_common(); }
  /// Wakes the worker if it is parked and nobody else does.
  void wake(const WorkerSlot& slot) { parking_.wake(slot.id); }
  void wake_all() { parking_.wake_all(); }
  /// Puts jobs that were accepted before at the head of the common queue, and sees that they run.
  /// How many of them: all, unless there is no more memory.
  std::size_t put_back(std::span<Job> jobs) noexcept;
  /// The same with what waits at a slot that takes no tasks.
  void reclaim(WorkerSlot& slot) noexcept;

  Parking<Wakeups>& parking() { return parking_; }
  void leave_queues_watched() { parking_.leave_queues_watched(); }

  // ---- Submitters that wait for room

  /// Whether there are any.
  [[nodiscard]] bool room_wanted() const { return queues_.common().room_wanted(); }
  /// Wakes those whose tasks got in, where it pays: after a task was taken from a queue.
  void wake_admitted();

 private:
  [[nodiscard]] std::size_t awake_approx() const;

  // What parking.hpp asks.
  friend class Parking<Wakeups>;
  void unpark(WorkerId id);
  [[nodiscard]] bool is_busy(WorkerId id) const { return queues_.slot(id).busy.load(); }
  [[nodiscard]] bool anything_queued() const { return queues_.anything_queued(); }
  [[nodiscard]] bool helper_pays(WorkerId id) const;
  [[nodiscard]] bool common_helper_pays() const;

  PoolQueues& queues_;
  const Accounts& accounts_;
  const unsigned processors_;

  Parking<Wakeups> parking_;
};

}  // namespace artel::pool::detail
