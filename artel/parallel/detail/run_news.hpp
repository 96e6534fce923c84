#pragma once

#include <atomic>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/sync/blocking_hook.hpp"
#include "artel/sync/event_count.hpp"
#include "artel/sync/futex_wait.hpp"
#include "artel/sync/relax.hpp"

namespace artel::parallel::detail {

/// Tells the caller of a run that something has changed.
///
/// The counter is changed before has_waiters() is read, and a waiter is counted before it reads the
/// counter: one of the two sees the other, so that no news is slept through.
/// Threads: all members are safe from any thread.
class RunNews {
 public:
  [[nodiscard]] std::uint32_t count() const { return count_.load(); }

  /// A caller that sleeps does not hear of it before the next announce().
  void note() { count_.fetch_add(1); }
  void announce() {
    note();
    if (changed_.has_waiters()) changed_.notify_all();
  }

  /// Until there is more than `seen`; looks so many times before it sleeps.
  void wait(std::uint32_t seen, int spins) {
    const auto news = [&] { return count() != seen; };
    for (int i = 0; i < spins; ++i) {
      if (news()) return;
      sync::relax();
    }
    wait_until(news);
  }
  /// Whoever makes it true announces it.
  template <class Condition>
  void wait_until(const Condition& condition) {
    const sync::BlockingScope blocking;
    changed_.wait(kNever, condition);
  }

 private:
  std::atomic<std::uint32_t> count_ = 0;
  sync::EventCount changed_;
};

}  // namespace artel::parallel::detail
