#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::stat {

/// A smoothed time that many threads read and a few update: new = old + (sample - old) / 8, where a
/// sample counts at most as 8 times the old value, so that one outlier does not change the picture.
/// The first sample counts as it is: an estimate that is too long is soon corrected, because long
/// tasks are all measured; one that is too short is not. A sample below 0, as from two clocks that
/// differ by a little, counts as 0. 0: nothing measured yet.
///
/// Cost: a load and a store.
/// Threads: any; updates that collide are lost, which is harmless.
class SmoothedTime {
 public:
  /// Takes a sample in.
  void add(Duration sample) {
    constexpr std::int64_t kMost = (std::int64_t{1} << 60U) - 1;  // 36 years: nothing overflows
    std::int64_t value = std::clamp<std::int64_t>(sample.count(), 0, kMost);
    const std::int64_t old = ns_.load(std::memory_order_relaxed);
    if (old != 0) {
      const std::int64_t limit = old < kMost / 8 ? old * 8 + 1000 : kMost;
      value = old + (std::min(value, limit) - old) / 8;
    }
    ns_.store(value, std::memory_order_relaxed);
  }
  /// The smoothed time; 0: nothing measured yet.
  [[nodiscard]] Duration get() const { return Duration{ns_.load(std::memory_order_relaxed)}; }

 private:
  std::atomic<std::int64_t> ns_ = 0;
};

}  // namespace artel::stat
