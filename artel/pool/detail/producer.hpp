#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "artel/dispatch/dice.hpp"

namespace artel::pool::detail {

struct WorkerSlot;

/// What a thread remembers between two submissions to one pool: a decision serves for some tasks,
/// so that the chosen queue stays in this processor's cache.
struct Producer {
  std::uint64_t pool = 0;            ///< the number of the pool that the rest is about; 0: none
  WorkerSlot* slot = nullptr;        ///< the last decision
  std::uint32_t limit = 0;           ///< tasks that may wait there
  std::uint32_t budget = 0;          ///< tasks that may still go there unasked
  std::uint32_t unmeasured = 0;      ///< tasks since the last one that was measured
  std::uint32_t period = 0;          ///< one in so many tasks is measured
  std::uint32_t waiting_there = 0;   ///< tasks that wait at `slot`, as far as it knows
  std::uint32_t waiting_common = 0;  ///< tasks in the common queue at the last decision
  bool nested = false;               ///< the slot is this worker's own
  bool no_wake = false;              ///< waking further workers did not pay
  std::uint64_t dice = 0;            ///< state of this thread's generator

  std::uint64_t throw_dice() { return dispatch::splitmix64(dice); }
};

/// Of this thread, for the pools it submitted to last: the one of a pool has the place of its
/// number.
inline constinit thread_local std::array<Producer, 4> producers_of_thread{};

/// Whether a submission of this thread that finds no room is accepted over the bound instead of
/// waiting: on threads that run tasks or timers, of any pool. There a wait could be one for itself
/// (docs/decisions/room-inside-tasks.md).
inline constinit thread_local bool never_waits_for_room = false;

/// Makes it so for a scope, in which a pool calls what users wrote.
class NeverWaitsForRoom {
 public:
  NeverWaitsForRoom() : before_(std::exchange(never_waits_for_room, true)) {}
  NeverWaitsForRoom(const NeverWaitsForRoom&) = delete;
  NeverWaitsForRoom& operator=(const NeverWaitsForRoom&) = delete;
  ~NeverWaitsForRoom() { never_waits_for_room = before_; }

 private:
  const bool before_;
};

}  // namespace artel::pool::detail
