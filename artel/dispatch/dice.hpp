#pragma once

#include <cstddef>
#include <cstdint>

#include "artel/dispatch/draw.hpp"

namespace artel::dispatch {

/// Splitmix64: one step from `state`, which it moves on. Source: Steele, Lea, Flood 2014.
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

/// Splitmix64 as a generator of random bits.
class SplitMix64 {
 public:
  explicit constexpr SplitMix64(std::uint64_t seed) : state_(seed) {}

  /// The next 64 random bits.
  constexpr std::uint64_t operator()() { return splitmix64(state_); }

 private:
  std::uint64_t state_;
};

/// The random numbers of one decision, all derived from `Draw::dice`. Threads: one at a time.
/// Cost: O(1), a few instructions.
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
