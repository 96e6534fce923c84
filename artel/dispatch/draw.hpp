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

/// Splitmix64: one step from `state`, which it moves on. Source: Steele, Lea, Flood 2014.
[[nodiscard]] constexpr std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

/// The random numbers of one decision, all derived from `Draw::dice`.
class Dice {
 public:
  explicit constexpr Dice(const Draw& draw) : state_(draw.dice) {}

  /// Uniform in 0 … n-1; n must be above 0. The bias is below n / 2^32.
  [[nodiscard]] constexpr std::uint32_t below(std::size_t n) {
    return static_cast<std::uint32_t>(((splitmix64(state_) >> 32U) * n) >> 32U);
  }

  /// Uniform in [0, 1), a multiple of 2^-53.
  [[nodiscard]] constexpr double uniform() {
    return static_cast<double>(splitmix64(state_) >> 11U) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

}  // namespace artel::dispatch
