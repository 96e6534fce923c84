#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/sync/futex_wait.hpp"
#include "artel/sync/relax.hpp"

namespace artel::sync {

/// What the lock-free classes are made of: the hardware's atomics, the kernel's futex and the
/// clock. They are templates on it, so that tests put in its place what explores all orders.
struct StdAtomics {
  template <class T>
  using Atomic = std::atomic<T>;
  /// Memory that a lock or a hand-over protects.
  template <class T>
  using Plain = T;

  static void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
                         Duration timeout = kForever) {
    sync::futex_wait(word, expected, timeout);
  }
  static void futex_wake(const std::atomic<std::uint32_t>& word, int count) {
    sync::futex_wake(word, count);
  }
  /// In a spinning loop.
  static void relax() { sync::relax(); }
  /// In one that has spun for long: gives the processor to others.
  static void yield() { sched_yield(); }
  /// For deadlines of waits.
  static Instant now() { return steady_now(); }
};

}  // namespace artel::sync
