#pragma once

#include <climits>
#include <cstdint>
#include <optional>

#include "artel/core/instant.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/sync/std_atomics.hpp"

namespace artel::pool::detail {

class Continuation;
class EarlyEnd;

/// Of a FutureNode: whether its result is there, who makes it, and who has to hear of it.
///
/// States: dormant (a promise, a continuation) -> ready
///         queued -> claimed (by a worker, by a task of the same pool that waits for it, or by
///                   whoever ends it unstarted) -> ready
///         claimed -> queued (a HostedTask that is put back)
/// Invariants:
///  N1  Whoever claims a queued task runs it, or ends it unstarted. What the queue still holds then
///      is a claimed entry: it is dropped when its turn comes.
///  N2  Moving to ready is one exchange, after the result was stored. It returns the flags that
///      others set before; what is set later is seen by the setter.
///  N3  Whoever keeps an EarlyEnd here looks whether the task still waits, after that; whoever
///      claims it takes the EarlyEnd, after that. One of the two finds it, and none twice.
/// Threads: any.
template <class Atomics = sync::StdAtomics>
class BasicFutureState {
 public:
  [[nodiscard]] bool ready() const { return (word_.load() & kStates) == kReady; }
  /// Whether it waits for its turn; a guess.
  [[nodiscard]] bool queued() const {
    return (word_.load(std::memory_order_relaxed) & kStates) == kQueued;
  }

  // ---- By the pool of the task

  void enqueue() {
    word_.store(word_.load(std::memory_order_relaxed) | kQueued, std::memory_order_relaxed);
  }
  [[nodiscard]] bool claim() { return claim_as(kClaimed); }
  /// The same where no other thread knows of the task.
  [[nodiscard]] bool claim_unshared() {
    const std::uint32_t word = word_.load(std::memory_order_relaxed);
    if ((word & kStates) != kQueued) return false;
    word_.store(word - kQueued + kClaimed, std::memory_order_relaxed);
    return true;
  }
  void unclaim() { word_.fetch_sub(kClaimed - kQueued); }

  /// Makes it ready and wakes who sleeps; whom to call, or null. From here on the owner of the
  /// Future may destroy it.
  [[nodiscard]] Continuation* make_ready() { return become(kReady); }

  /// Whom make_ready() would name now, or null; by whoever is to make it ready.
  [[nodiscard]] Continuation* attached() const {
    return (word_.load() & kChained) != 0 ? static_cast<Continuation*>(continuation_) : nullptr;
  }

  // ---- Ended before its turn (early_end.hpp)

  [[nodiscard]] bool claim_early(TaskOutcome outcome) { return claim_as(kClaimed | bit(outcome)); }
  /// After claim_early(), as make_ready().
  [[nodiscard]] Continuation* make_ready_early(TaskOutcome outcome) {
    return become(kReady | bit(outcome));
  }
  /// How it was ended before its turn; nothing: it was not.
  [[nodiscard]] std::optional<TaskOutcome> early() const {
    const std::uint32_t word = word_.load();
    if ((word & kCancelledEarly) != 0) return TaskOutcome::cancelled;
    if ((word & kExpiredEarly) != 0) return TaskOutcome::expired;
    return std::nullopt;
  }
  /// Keeps it for take_early_end(); false: the task does not wait any more.
  [[nodiscard]] bool keep(EarlyEnd& early_end) {
    early_end_.store(&early_end);
    return (word_.load() & kStates) == kQueued;
  }
  /// Null: there is none, or somebody else has taken it.
  [[nodiscard]] EarlyEnd* take_early_end() {
    return early_end_.load() == nullptr ? nullptr : early_end_.exchange(nullptr);
  }

  // ---- By the owner of the Future

  /// Whom make_ready() is to name; false: it is ready already. Once.
  [[nodiscard]] bool attach(Continuation& continuation) {
    continuation_ = &continuation;
    return (word_.fetch_or(kChained) & kStates) != kReady;
  }
  /// Until it is ready; false: not by then.
  [[nodiscard]] bool sleep(Instant until) {
    for (;;) {
      const std::uint32_t word = word_.fetch_or(kWaited) | kWaited;
      if ((word & kStates) == kReady) return true;
      const Duration left = until == kNever ? kForever : until - Atomics::now();
      if (left <= Duration::zero()) return false;
      Atomics::futex_wait(word_, word, left);
    }
  }

 private:
  static constexpr std::uint32_t kQueued = 1, kClaimed = 2, kReady = 3, kStates = 3;  // dormant: 0
  static constexpr std::uint32_t kWaited = 4;   // somebody sleeps on the word
  static constexpr std::uint32_t kChained = 8;  // continuation_ is set
  static constexpr std::uint32_t kCancelledEarly = 16, kExpiredEarly = 32;

  static std::uint32_t bit(TaskOutcome outcome) {
    return outcome == TaskOutcome::expired ? kExpiredEarly : kCancelledEarly;
  }
  bool claim_as(std::uint32_t claimed) {
    std::uint32_t word = word_.load(std::memory_order_relaxed);
    while ((word & kStates) == kQueued) {
      if (word_.compare_exchange_weak(word, word - kQueued + claimed)) return true;  // N3
    }
    return false;
  }
  Continuation* become(std::uint32_t ready) {
    const std::uint32_t before = word_.exchange(ready);
    Continuation* const continuation =
        (before & kChained) != 0 ? static_cast<Continuation*>(continuation_) : nullptr;
    if ((before & kWaited) != 0) Atomics::futex_wake(word_, INT_MAX);
    return continuation;
  }

  typename Atomics::template Atomic<std::uint32_t> word_ = 0;
  typename Atomics::template Plain<Continuation*> continuation_ = nullptr;
  typename Atomics::template Atomic<EarlyEnd*> early_end_ = nullptr;
};

using FutureState = BasicFutureState<>;

}  // namespace artel::pool::detail
