#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/require.hpp"
#include "artel/pool/detail/timer_node.hpp"

namespace artel::pool {

/// A handle of what Pool::after(), at() and every() arranged.
///
///     auto timer = pool.every(1s, [&] { refresh(); });
///     …
///     timer.cancel();
///
/// Destroying the handle cancels nothing: who never wants to cancel may drop it. A ScopedTimer
/// does.
/// Cost: a look is an atomic read; cancel() takes the lock of the pool's timers.
/// Threads: any; it may outlive the pool.
class Timer {
 public:
  /// Of nothing; only assigning to it makes sense.
  Timer() = default;

  /// No run begins any more. True: one was still to come, and this prevented it. False: there was
  /// none: its only run has begun, it was cancelled before, or the pool has stopped or purged that
  /// run. A run that has begun goes on.
  bool cancel() { return node().cancel(); }
  /// The same, and returns when no run is going on any more; from a run of its own, at once.
  void cancel_and_wait() { node().cancel_and_wait(); }

  /// Whether a run is still to come.
  [[nodiscard]] bool active() const { return node().active(); }
  /// Runs that have begun.
  [[nodiscard]] std::uint64_t runs() const { return node().runs(); }
  /// Runs of every() that were left out: the one before was still queued or running, the time had
  /// passed when the clock was looked at, or the pool was full.
  [[nodiscard]] std::uint64_t skipped() const { return node().skipped(); }
  /// Why it cannot run: unsupported (no thread to be had), closed (the pool has stopped), full (a
  /// pool that refuses had no room when it was due).
  [[nodiscard]] std::optional<Error> error() const { return node().error(); }

  /// Whether it is of something.
  [[nodiscard]] bool valid() const { return node_ != nullptr; }

 private:
  friend class Pool;

  explicit Timer(std::shared_ptr<detail::TimerNode> node) : node_(std::move(node)) {}

  [[nodiscard]] detail::TimerNode& node() const {
    ARTEL_REQUIRE(valid(), "this Timer is of nothing: default-made or moved from");
    return *node_;
  }

  std::shared_ptr<detail::TimerNode> node_;
};

/// A Timer that ends with its scope: the destructor cancels it and waits for a run that is going
/// on, so that the callable may refer to what is in the scope.
class ScopedTimer : public Timer {
 public:
  ScopedTimer() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): `ScopedTimer t = pool.every(…)`
  ScopedTimer(Timer timer) : Timer(std::move(timer)) {}
  ScopedTimer(ScopedTimer&&) noexcept = default;
  ScopedTimer& operator=(ScopedTimer&& other) noexcept {
    end();
    Timer::operator=(std::move(other));
    return *this;
  }
  ~ScopedTimer() { end(); }

 private:
  void end() {
    if (valid()) cancel_and_wait();
  }
};

}  // namespace artel::pool
