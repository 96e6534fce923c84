#pragma once

#include <cstdint>

#include "artel/dispatch/draw.hpp"

namespace artel::pool {

struct Place;

/// What a thread remembers between two submissions to one pool: a decision serves for some tasks,
/// so that the chosen queue stays in this processor's cache.
struct Producer {
  std::uint64_t pool = 0;            ///< the number of the pool that the rest is about; 0: none
  Place* place = nullptr;            ///< the last decision
  std::uint32_t limit = 0;           ///< tasks that may wait there
  std::uint32_t shots = 0;           ///< tasks that may still go there unasked
  std::uint32_t unstamped = 0;       ///< tasks since the last one that was stamped
  std::uint32_t period = 0;          ///< one in so many tasks is stamped
  std::uint32_t waiting_there = 0;   ///< tasks that wait at `place`, as far as it knows
  std::uint32_t waiting_common = 0;  ///< tasks in the common queue at the last decision
  bool nested = false;               ///< the place is this worker's own
  bool quiet = false;                ///< waking further workers did not pay
  std::uint64_t dice = 0;            ///< state of this thread's generator

  std::uint64_t throw_dice() { return dispatch::splitmix64(dice); }
};

/// Of this thread, for the pool it submitted to last.
inline thread_local Producer this_producer;

}  // namespace artel::pool
