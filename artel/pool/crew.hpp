#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "artel/error/error.hpp"
#include "artel/pool/gate.hpp"
#include "artel/pool/place.hpp"
#include "artel/pool/pool_core.hpp"
#include "artel/unit/instant.hpp"

namespace artel::pool {

class Worker;

/// The threads of a pool: starts them, gives places from one to another, resizes, joins.
///
/// Invariants:
///  W1  Every open place has an owner, as long as the spare threads last (PoolOptions::spares): an
///      owner that is about to wait inside a task, or that stalls, is replaced.
///  W2  Places 0 … size-1 are open. A place beyond is vacant, or leaving: closed, its owner still
///  at
///      work on what was queued there.
///  W3  A thread that is done is joined later by whoever starts the next one, or by join_all().
///  W4  A member's place may be paused by its owner: closed, but counted as open. Its owner, or the
///      one after it, ends that; if the place has left meanwhile it stays closed.
/// Threads: any; one lock, never held while a task or hook runs.
class Crew {
 public:
  explicit Crew(PoolCore& core);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew();

  /// Opens the first `workers` places. Throws std::system_error when there are no threads to be
  /// had.
  void start(unsigned workers);

  /// Opens or closes places. The Error names the sizes possible now.
  [[nodiscard]] Result<void> resize(unsigned workers);
  [[nodiscard]] unsigned size() const;
  /// Whether the place is one of the first size().
  [[nodiscard]] bool has_member(const Place& place) const;
  /// Waits until closed places are vacant; false: not by then.
  [[nodiscard]] bool wait_resized(Instant until);
  /// Takes away what waits at places that have been leaving for longer than the shrink timeout;
  /// their running tasks are no longer waited for. Returns when to call again; kNever: no need.
  Instant force_leavers(Instant now);

  // By workers.

  /// Starts another thread for the place of the calling worker; false: too many.
  bool hand_over(Place& place);
  /// The calling worker has found nothing left to do at its place, which is closed; false: it has
  /// been opened again meanwhile.
  bool vacate(Place& place);
  /// The worker wants no tasks at its place for some time; what waits there goes to the others.
  /// False: the place is not its own any more.
  bool pause(const Worker& worker, Place& place);
  /// Ends that, by the place's owner; by anybody else it does nothing.
  void resume(const Worker& worker, Place& place);

  // By the monitor.

  /// Starts another thread for a place whose owner is in the task of `phase`; false: too many, or
  /// the task has just ended.
  bool take_over(Place& place, std::uint64_t phase);

  /// Closes all queues for good; not while the pool is being resized.
  void close();
  /// Waits for all threads to end. The pool must be closed.
  void join_all();
  /// Threads alive, those that wait or stall inside tasks included.
  [[nodiscard]] std::size_t thread_count() const;

 private:
  struct Leaver {
    Place* place;
    Instant force_at;
  };

  // With the lock held.
  void add(Place& place);
  [[nodiscard]] bool room_for_thread() const;
  void reap();

  PoolCore& core_;
  const std::size_t threads_max_;
  mutable std::mutex lock_;
  std::list<std::unique_ptr<Worker>> workers_;
  unsigned size_ = 0;
  std::vector<Leaver> leavers_;
  Gate resized_;
};

}  // namespace artel::pool
