#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/stop_mode.hpp"
#include "artel/sync/event_count.hpp"

namespace artel::pool::detail {

class Worker;

/// The threads of a pool: starts them, gives slots from one to another, resizes, joins.
///
/// A thread is made for one slot, and is at any time one of these:
///   owner      serves the slot, or sleeps for it with its bit in the idle set
///   lender     waits inside a task; another one owns the slot
///   returning  comes back from that, and goes on as soon as the owner is between two tasks
///   stray      runs a task that took too long; another one owns the slot
///   spare      sleeps; it is the next stand-in, or ends after kKeepAlive
///
/// Invariants:
///  W1  Every open slot has an owner. Who is to replace an owner has a thread before the owner is
///      deprived: if there is none to be had, nothing has changed.
///  W2  Slots 0 … size-1 are open. A slot beyond is vacant, or leaving: closed, its owner still
///      at work on what was queued there.
///  W3  A thread that is done is joined later by whoever starts the next one, or by join_all().
///      A slot that was left counts as leaving until its thread is done, so that it is not opened,
///      and given another thread, before.
///  W4  A member's slot may be paused by its owner: closed, but counted as open. Its owner, or the
///      one after it, ends that; if the slot has left meanwhile it stays closed. Who paused it may
///      have lost it before, to a thread that came back: so an owner that finds nothing left to do
///      at a member's slot opens it, and does not leave it.
///  W5  Of a slot's threads at most one runs tasks, strays apart: so no more tasks run than there
///      are workers. A lender that has nothing to come back to (its slot is vacant) becomes its
///      owner again.
///  W6  There are at most `spares` threads more than slots that are open or leaving. So there are
///      never more than workers_max + spares.
/// Threads: any; one lock, never held while a task or hook runs.
class WorkerThreads {
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
  /// Has a recording that goes on know it.
  void note_size() const {
    const std::lock_guard lock(lock_);
    core_.recording.resized(size_);
  }
  /// Whether the slot is one of the first size().
  [[nodiscard]] bool has_member(const WorkerSlot& slot) const;
  /// Waits until closed slots are vacant; false: not by then.
  [[nodiscard]] bool wait_resized(Instant until);
  /// Takes away what waits at slots that have been leaving for longer than the shrink timeout;
  /// their running tasks are no longer waited for. Returns when to call again; kNever: no need.
  Instant force_leavers(Instant now);

  // By workers.

  /// Sleeps until the calling worker owns its slot and there may be something to do; false: its
  /// thread is to end.
  [[nodiscard]] bool await_turn(Worker& worker);
  /// The calling worker, about to wait inside a task, lends its slot to another thread. False: none
  /// can be had (the system's limit, or PoolOptions::spares).
  [[nodiscard]] bool hand_over(Worker& worker);
  /// Waits until the slot it lent is its own again.
  void take_back(Worker& worker);
  /// The owner, between two tasks, lets a thread go on that came back; false: there is none.
  [[nodiscard]] bool give_way(Worker& owner);
  /// The calling worker has found nothing left to do at its slot, which is closed; false: it has
  /// been opened again meanwhile.
  [[nodiscard]] bool vacate(Worker& owner);
  /// The worker wants no tasks at its slot for some time; what waits there goes to the others.
  /// False: the slot is not its own any more.
  bool pause(const Worker& worker, WorkerSlot& slot);
  /// Ends that, by the slot's owner; by anybody else it does nothing.
  void resume(const Worker& worker, WorkerSlot& slot);

  /// The calling worker's thread has nothing left to do but being joined.
  void note_finished(Worker& worker);

  // By the monitor.

  /// Starts another thread for a slot whose owner is in the task of `phase`, and goes on with that
  /// as a stray; false: no thread can be had, or the task has just ended.
  bool take_over(WorkerSlot& slot, std::uint64_t phase);

  /// Closes all queues for good; not while the pool is being resized.
  void close();
  /// Waits for all threads to end; any number of callers. The pool must be closed.
  void join_all();
  /// Waits until all threads have nothing left but being joined; false: not by then.
  [[nodiscard]] bool wait_finished(Instant until);
  /// The tasks that run now, if no other can have begun since that time.
  [[nodiscard]] std::vector<RunningTask> running_since(Instant then) const;
  /// Threads alive, those that wait or stall inside tasks included.
  [[nodiscard]] std::size_t thread_count() const;

 private:
  struct Leaver {
    WorkerSlot* slot;
    Instant force_at;
    const Worker* last = nullptr;  // has left the slot, and is about to end
  };

  static constexpr Duration kKeepAlive = std::chrono::minutes(1);

  // With the lock held.
  void open(WorkerSlot& slot);
  [[nodiscard]] std::size_t extra() const { return workers_.size() - size_ - leavers_.size(); }
  Worker* add(WorkerSlot& slot);
  Worker* stand_in_for(WorkerSlot& slot);  // null: no thread can be had
  void end_pause(WorkerSlot& slot);
  void install(WorkerSlot& slot, Worker& stand_in);
  static Worker* first_returning(WorkerSlot& slot);
  static void rest(Worker& worker);
  static void remove_spare(Worker& worker);
  static void end_spares(WorkerSlot& slot);
  void reap();

  /// What a lender comes back to.
  enum class Back : std::uint8_t { vacant, owner, in_line };
  Back come_back(Worker& worker);
  std::unique_ptr<Worker> next_to_join();

  PoolCore& core_;
  mutable std::mutex lock_;
  std::list<std::unique_ptr<Worker>> workers_;
  unsigned size_ = 0;
  std::vector<Leaver> leavers_;
  sync::EventCount resized_;
  std::atomic<std::size_t> finished_ = 0;  // threads to be joined
  bool ending_ = false;                    // spares are not kept any more
  std::size_t joining_ = 0;
  sync::EventCount joined_;
};

}  // namespace artel::pool::detail
