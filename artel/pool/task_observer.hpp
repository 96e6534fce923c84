#pragma once

#include "artel/pool/stamp.hpp"
#include "artel/unit/id.hpp"
#include "artel/unit/instant.hpp"

namespace artel::pool {

/// The life of one task, told when it is over.
struct TaskLife {
  TaskId id{};        ///< in order of submission
  WorkerId worker{};  ///< whose thread ended it; kOutside: a thread that waited for it
  Outcome outcome{};
  Instant submitted{};
  Instant bound{};    ///< entered a worker's own queue; equals submitted if it went there at once
  Instant started{};  ///< equals finished for tasks that did not start
  Instant finished{};

  static constexpr WorkerId kOutside{0xFFFFFFFFU};
};

/// Hears of every task of a pool that it was given to (PoolOptions::observer). Without one, nothing
/// is measured for it and it costs nothing; with one, every task is stamped, three reads of the
/// clock.
///
/// Threads: ended() is called by all workers at once, and by threads that wait for Futures; not
///          under any lock of the pool. It must not throw, and must not submit to the pool.
class TaskObserver {
 public:
  TaskObserver() = default;
  TaskObserver(const TaskObserver&) = delete;
  TaskObserver& operator=(const TaskObserver&) = delete;
  virtual ~TaskObserver() = default;

  virtual void ended(const TaskLife& task) = 0;
};

}  // namespace artel::pool
