#pragma once

#include <climits>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/sync/std_atomics.hpp"

namespace artel::sync {

/// Lets threads wait for a condition that others bring about rarely and check cheaply.
///
/// Whoever may have made the condition true afterwards asks has_waiters(), and if so calls
/// notify_all(). A waiter registers, then tests: one of the two sees the other, if both the change
/// and the test are sequentially consistent or made under one lock.
/// Cost:    has_waiters() is one load of a line that rarely changes.
/// Threads: any.
template <class Atomics = StdAtomics>
class BasicEventCount {
 public:
  [[nodiscard]] bool has_waiters() const { return waiters_.load() != 0; }

  /// Makes every waiter test again.
  void notify_all() {
    epoch_.fetch_add(1);
    Atomics::futex_wake(epoch_, INT_MAX);
  }

  /// Waits until `done()`, or for the time given; what done() said last.
  template <class Done>
  bool wait(Instant until, Done&& done) {
    if (done()) return true;
    const Registration registered(waiters_);
    for (;;) {
      const std::uint32_t epoch = epoch_.load();
      if (done()) return true;
      const Duration left = until == kNever ? kForever : until - Atomics::now();
      if (left <= Duration::zero()) return false;
      Atomics::futex_wait(epoch_, epoch, left);
    }
  }

 private:
  using Number = typename Atomics::template Atomic<std::uint32_t>;

  struct Registration {
    Number& waiters;
    explicit Registration(Number& count) : waiters(count) { waiters.fetch_add(1); }
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;
    ~Registration() { waiters.fetch_sub(1); }
  };

  Number waiters_ = 0;
  Number epoch_ = 0;
};

/// Lets threads wait for a condition that others bring about rarely and check cheaply.
using EventCount = BasicEventCount<>;

}  // namespace artel::sync
