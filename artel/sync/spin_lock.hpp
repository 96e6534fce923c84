#pragma once

#include <atomic>

#include "artel/sync/std_atomics.hpp"

namespace artel::sync {

/// Spins shortly, then gives the processor to others; for sections of some tens of nanoseconds.
///
/// Cost:    about 6 ns uncontended, one byte. lock(), try_lock(), unlock() as of std::mutex.
/// Threads: any; not recursive. Works with std::lock_guard.
template <class Atomics = StdAtomics>
class BasicSpinLock {
 public:
  void lock() {
    static_cast<void>(lock_while([] { return true; }));
  }
  /// Gives up, false, when `wanted()` is false while somebody else holds it.
  template <class Wanted>
  bool lock_while(Wanted&& wanted) {
    for (int spins = 0; !try_lock(); ++spins) {
      if (!wanted()) return false;
      if (spins < kSpins) {
        Atomics::relax();
      } else {
        Atomics::yield();  // the holder may wait for this very processor
      }
    }
    return true;
  }
  bool try_lock() {
    return !locked_.load(std::memory_order_relaxed) &&
           !locked_.exchange(true, std::memory_order_acquire);  // pairs with unlock
  }
  void unlock() { locked_.store(false, std::memory_order_release); }

 private:
  static constexpr int kSpins = 100;
  typename Atomics::template Atomic<bool> locked_ = false;
};

/// Spins shortly, then gives the processor to others; for sections of some tens of nanoseconds.
using SpinLock = BasicSpinLock<>;

}  // namespace artel::sync
