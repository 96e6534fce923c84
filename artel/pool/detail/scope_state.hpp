#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <stop_token>

#include "artel/core/instant.hpp"
#include "artel/sync/event_count.hpp"
#include "artel/sync/spin_lock.hpp"

namespace artel::pool::detail {

/// What a TaskScope and its tasks share.
///
/// Threads: any.
class ScopeState {
 public:
  std::stop_source stop;
  std::atomic<std::size_t> open = 0;  ///< tasks that have not ended

  /// A task ended by an exception: the first one is kept, and cancels the rest.
  void fail(std::exception_ptr exception);
  /// By the last that a task does.
  void task_ended() {
    if (open.fetch_sub(1) == 1 && changed_.has_waiters()) changed_.notify_all();
  }
  /// Waits until none is open; false: not by then. Runs some here, if this is a worker.
  bool wait(Instant until);
  /// Throws the exception kept, and keeps it no more.
  void rethrow();

 private:
  sync::EventCount changed_;
  sync::SpinLock lock_;
  std::exception_ptr first_;
};

}  // namespace artel::pool::detail
