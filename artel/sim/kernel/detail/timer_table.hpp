#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/sim/kernel/detail/wait.hpp"

namespace artel::sim::detail {

/// Which waits have timers running. A timer is an event that carries its slot and generation: one
/// that was stopped is known by its generation and means nothing. Cost: O(1).
class TimerTable {
 public:
  /// What the event carries.
  struct TimerId {
    std::uint32_t slot = kNone;
    std::uint32_t generation = 0;
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  [[nodiscard]] TimerId start(Wait& wait) {
    if (free_ == kNone) {
      slots_.push_back({});
      free_ = static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = free_;
    free_ = slots_[slot].next_free;
    slots_[slot].wait = &wait;
    return {slot, slots_[slot].generation};
  }

  /// Frees a slot; its event, if it is still pending, becomes stale.
  void stop(std::uint32_t slot, bool event_pending) {
    ++slots_[slot].generation;
    slots_[slot].wait = nullptr;
    slots_[slot].next_free = free_;
    free_ = slot;
    if (event_pending) ++stale_;
  }

  [[nodiscard]] bool is_stale(TimerId timer_id) const {
    return slots_[timer_id.slot].generation != timer_id.generation;
  }
  [[nodiscard]] Wait& wait(TimerId timer_id) const { return *slots_[timer_id.slot].wait; }

  /// Stale events that are still pending.
  [[nodiscard]] std::size_t stale_count() const { return stale_; }
  void forget_stale() { --stale_; }

 private:
  struct Slot {
    Wait* wait = nullptr;
    std::uint32_t generation = 0;
    std::uint32_t next_free = kNone;
  };

  std::vector<Slot> slots_;
  std::uint32_t free_ = kNone;
  std::size_t stale_ = 0;
};

}  // namespace artel::sim::detail
