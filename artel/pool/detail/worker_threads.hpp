#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/sync/event_count.hpp"

namespace artel::pool::detail {

class Worker;

/// The threads of a pool: starts them, gives slots from one to another, resizes, joins.
///
/// Invariants:
///  W1  Every open slot has an owner, as long as the spare threads last (PoolOptions::spares): an
///      owner that is about to wait inside a task, or that stalls, is replaced.
///  W2  Slots 0 … size-1 are open. A slot beyond is vacant, or leaving: closed, its owner still
///      at work on what was queued there.
///  W3  A thread that is done is joined later by whoever starts the next one, or by join_all().
///  W4  A member's slot may be paused by its owner: closed, but counted as open. Its owner, or the
///      one after it, ends that; if the slot has left meanwhile it stays closed.
/// Threads: any; one lock, never held while a task or hook runs.
class WorkerThreads final : public TaskHost {
 public:
  explicit WorkerThreads(PoolCore& core);
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;
  ~WorkerThreads();

  /// Opens the first `workers` slots. Throws std::system_error when there are no threads to be
  /// had.
  void start(unsigned workers);

  /// Opens or closes slots. The Error names the sizes possible now.
  [[nodiscard]] Result<void> resize(unsigned workers);
  [[nodiscard]] unsigned size() const;
  /// Whether the slot is one of the first size().
  [[nodiscard]] bool has_member(const WorkerSlot& slot) const;
  /// Waits until closed slots are vacant; false: not by then.
  [[nodiscard]] bool wait_resized(Instant until);
  /// Takes away what waits at slots that have been leaving for longer than the shrink timeout;
  /// their running tasks are no longer waited for. Returns when to call again; kNever: no need.
  Instant force_leavers(Instant now);

  // By workers.

  /// Starts another thread for the slot of the calling worker; false: too many.
  bool hand_over(WorkerSlot& slot);
  /// The calling worker has found nothing left to do at its slot, which is closed; false: it has
  /// been opened again meanwhile.
  bool vacate(WorkerSlot& slot);
  /// The worker wants no tasks at its slot for some time; what waits there goes to the others.
  /// False: the slot is not its own any more.
  bool pause(const Worker& worker, WorkerSlot& slot);
  /// Ends that, by the slot's owner; by anybody else it does nothing.
  void resume(const Worker& worker, WorkerSlot& slot);

  // By Futures: the host of their tasks.

  void run_claimed(FutureNode& node) override;
  void claims_open(int change) override;

  // By the monitor.

  /// Starts another thread for a slot whose owner is in the task of `phase`; false: too many, or
  /// the task has just ended.
  bool take_over(WorkerSlot& slot, std::uint64_t phase);

  /// Closes all queues for good; not while the pool is being resized.
  void close();
  /// Waits for all threads to end. The pool must be closed.
  void join_all();
  /// Threads alive, those that wait or stall inside tasks included.
  [[nodiscard]] std::size_t thread_count() const;

 private:
  struct Leaver {
    WorkerSlot* slot;
    Instant force_at;
  };

  // With the lock held.
  void add(WorkerSlot& slot);
  [[nodiscard]] bool room_for_thread() const;
  void reap();

  PoolCore& core_;
  const std::size_t threads_max_;
  mutable std::mutex lock_;
  std::list<std::unique_ptr<Worker>> workers_;
  unsigned size_ = 0;
  std::vector<Leaver> leavers_;
  sync::EventCount resized_;
};

}  // namespace artel::pool::detail
