#pragma once

#include <chrono>
#include <cstdint>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/sync/std_atomics.hpp"

namespace artel::pool::detail {

/// The role of the one parked worker that watches over the others (parker.hpp, P4 to P6).
///
///     nobody -> summoned, by a submitter that wakes a worker for it
///     summoned -> nobody, when that worker has woken, or there was none
///     nobody -> the worker that takes it, about to park -> nobody, when it resigns
///
/// Threads: any; all operations are sequentially consistent.
template <class Atomics = sync::StdAtomics>
class BasicWatchdog {
 public:
  /// The first look comes this soon after parking (a wake-up takes about as long), every further
  /// one after twice the time.
  static constexpr Duration kFirstLook = std::chrono::microseconds(50);
  static constexpr Duration kLastLook = std::chrono::milliseconds(2);

  [[nodiscard]] bool present() const { return holder_.load() != kNobody; }
  bool take(WorkerId id) {
    std::uint32_t nobody = kNobody;
    return holder_.compare_exchange_strong(nobody, word(id));
  }
  /// By the holder, and only by it.
  void resign() { holder_.store(kNobody); }
  /// True: the caller must wake a worker, which will answer.
  bool summon() {
    std::uint32_t nobody = kNobody;
    return holder_.compare_exchange_strong(nobody, kSummoned);
  }
  /// By every worker that wakes, before it looks for work.
  void answer() {
    std::uint32_t summoned = kSummoned;
    if (holder_.load() == kSummoned) holder_.compare_exchange_strong(summoned, kNobody);
  }

 private:
  static constexpr std::uint32_t kNobody = 0;
  static constexpr std::uint32_t kSummoned = ~std::uint32_t{0};
  static std::uint32_t word(WorkerId id) { return static_cast<std::uint32_t>(index(id)) + 1; }

  typename Atomics::template Atomic<std::uint32_t> holder_ = kNobody;
};

using Watchdog = BasicWatchdog<>;

}  // namespace artel::pool::detail
