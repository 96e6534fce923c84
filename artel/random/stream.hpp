#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "artel/core/id.hpp"
#include "artel/core/require.hpp"
#include "artel/random/pcg64.hpp"

namespace artel::random {

/// One independent sequence of random numbers, named after what it is drawn for.
///
/// Streams of one seed differ by name and index ("arrivals", "sizes", {"dice", worker}), so a draw
/// added to one never shifts another. The same (seed, name, index) gives the same numbers on every
/// compiler; they are part of what a golden file pins. For a fixed name, no two indices of one seed
/// and no two seeds of one index share a sequence. Satisfies std::uniform_random_bit_generator.
/// Cost:    32 bytes; a few nanoseconds per draw, no allocation.
/// Threads: one thread at a time; copies are independent and repeat the same numbers.
/// Source:  M. O'Neill, PCG (2014): pcg64, 128 bits of state; state and sequence selector come from
///          SplitMix64 over the seed, FNV-1a of the name, and the index.
class Stream {
 public:
  using result_type = std::uint64_t;

  Stream(Seed seed, std::string_view name, std::uint64_t index = 0);

  /// min(), max(): of what a draw gives, as std::uniform_random_bit_generator asks.
  [[nodiscard]] static constexpr result_type min() { return 0; }
  [[nodiscard]] static constexpr result_type max() {
    return std::numeric_limits<result_type>::max();
  }

  /// The next 64 random bits.
  result_type operator()() { return engine_(); }

  /// Uniform in [0, 1): a multiple of 2^-53.
  double uniform() { return static_cast<double>((*this)() >> 11U) * 0x1p-53; }

  /// Uniform among 0 … n-1, without bias. Requires: n >= 1. Usually one draw and one
  /// multiplication. Source: D. Lemire, Fast Random Integer Generation in an Interval (2019).
  std::uint64_t below(std::uint64_t n) {
    ARTEL_REQUIRE(n > 0, "there is no number below 0");
    Wide product = Wide{(*this)()} * n;
    if (static_cast<std::uint64_t>(product) < n) [[unlikely]] {
      const std::uint64_t biased = (0 - n) % n;  // this many low halves occur once too often
      while (static_cast<std::uint64_t>(product) < biased) product = Wide{(*this)()} * n;
    }
    return static_cast<std::uint64_t>(product >> 64U);
  }

  /// True when both will give the same numbers from here on.
  [[nodiscard]] friend bool operator==(const Stream& a, const Stream& b) {
    return a.engine_ == b.engine_;
  }

 private:
  __extension__ using Wide = unsigned __int128;

  Pcg64 engine_;
};

}  // namespace artel::random
