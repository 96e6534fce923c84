#pragma once

#include "artel/trace/task_trace.hpp"

namespace artel::pool {

/// Hears of every accepted task of a pool that it was given to (PoolOptions::observer). Without
/// one, nothing is measured for it and it costs nothing; with one, every task is measured, three
/// reads of the clock. For a file with all tasks, see Pool::record.
///
/// Threads: ended() is called by all workers at once, and by threads that wait for Futures; not
///          under any lock of the pool. It must not throw, and must not submit to the pool.
class TaskObserver {
 public:
  TaskObserver() = default;
  TaskObserver(const TaskObserver&) = delete;
  TaskObserver& operator=(const TaskObserver&) = delete;
  virtual ~TaskObserver() = default;

  virtual void ended(const trace::TaskRecord& task) = 0;
};

}  // namespace artel::pool
