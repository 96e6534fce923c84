#pragma once

#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::dispatch {

class WeightedCycle;
class Shares;

/// Everything besides the loads that one decision may depend on. Recorded together with the loads,
/// a decision can be replayed exactly.
struct Draw {
  std::uint64_t turn = 0;          ///< counts the decisions of one dispatcher: 0, 1, 2…
  std::uint64_t dice = 0;          ///< 64 random bits; `Dice` makes more of them
  Duration size{};                 ///< the task's service time, as hinted; 0: no hint
  const Shares* shares = nullptr;  ///< distribution published by the closed loop, if there is one
  const WeightedCycle* cycle = nullptr;  ///< turns by weight (weighted round robin), if published
};

}  // namespace artel::dispatch
