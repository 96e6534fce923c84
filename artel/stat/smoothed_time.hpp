#pragma once

#include <atomic>
#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::stat {

/// A smoothed time that many threads read and a few update: new = old + (sample - old) / 8, where a
/// sample counts at most as 8 times the old value, so that one outlier does not change the picture.
/// The first sample counts as it is: an estimate that is too long is soon corrected, because long
/// tasks are all measured; one that is too short is not. 0: nothing measured yet.
///
/// Threads: any; updates that collide are lost, which is harmless.
class SmoothedTime {
 public:
  void add(Duration sample) {
    const std::int64_t old = ns_.load(std::memory_order_relaxed);
    if (old == 0) {
      ns_.store(sample.count(), std::memory_order_relaxed);
      return;
    }
    const std::int64_t limit = old * 8 + 1000;
    const std::int64_t value = sample.count() < limit ? sample.count() : limit;
    ns_.store(old + (value - old) / 8, std::memory_order_relaxed);
  }
  [[nodiscard]] Duration get() const { return Duration{ns_.load(std::memory_order_relaxed)}; }

 private:
  std::atomic<std::int64_t> ns_ = 0;
};

}  // namespace artel::stat
