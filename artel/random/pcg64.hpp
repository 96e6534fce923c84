#pragma once

#include <cstdint>

namespace artel::random {

/// O'Neill's pcg64 (PCG XSL RR 128/64), bit for bit: a 128-bit linear congruential generator whose
/// output is folded and rotated.
///
/// The state is kept in halves: as one 128-bit integer g++ 12 moves it through the stack in a way
/// that the processor cannot forward, which made an exponential draw three times slower.
/// Source:  M. O'Neill, PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms
///          for Random Number Generation (2014).
class Pcg64 {
 public:
  /// A number of 128 bits: high · 2^64 + low.
  struct Word128 {
    std::uint64_t high;
    std::uint64_t low;

    friend bool operator==(const Word128&, const Word128&) = default;
  };

  /// Where a generator begins.
  struct StartingPoint {
    Word128 state;     ///< before the first draw
    Word128 sequence;  ///< of its lower 127 bits each value selects a sequence of its own
  };

  explicit Pcg64(StartingPoint start)
      : increment_{.high = start.sequence.high << 1U | start.sequence.low >> 63U,
                   .low = start.sequence.low << 1U | 1U},
        state_(add(start.state, increment_)) {
    advance();
  }

  std::uint64_t operator()() {
    advance();
    const std::uint64_t folded = state_.high ^ state_.low;
    const auto turn = static_cast<unsigned>(state_.high >> 58U);
    return folded >> turn | folded << (-turn & 63U);
  }

  friend bool operator==(const Pcg64&, const Pcg64&) = default;

 private:
  __extension__ using Wide = unsigned __int128;

  static constexpr Word128 kMultiplier{.high = 2549297995355413924, .low = 4865540595714422341};

  static Word128 add(Word128 a, Word128 b) {
    const std::uint64_t low = a.low + b.low;
    return {.high = a.high + b.high + (low < a.low ? 1U : 0U), .low = low};
  }

  void advance() {
    const Wide low = Wide{state_.low} * kMultiplier.low;
    const std::uint64_t high = static_cast<std::uint64_t>(low >> 64U) +
                               state_.high * kMultiplier.low + state_.low * kMultiplier.high;
    state_ = add({.high = high, .low = static_cast<std::uint64_t>(low)}, increment_);
  }

  Word128 increment_;  ///< odd
  Word128 state_;
};

}  // namespace artel::random
