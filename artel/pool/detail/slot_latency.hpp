#pragma once

#include <atomic>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/dispatch/latency.hpp"
#include "artel/dispatch/load.hpp"

namespace artel::pool::detail {

/// A worker's dispatch::Latency, which many threads read and a few update. Value and time are
/// apart: who reads both while one is being written sees a latency that is older or younger by an
/// answer, and updates that collide are lost, both of which are harmless.
///
/// Threads: any.
class SlotLatency {
 public:
  [[nodiscard]] dispatch::Latency get() const {
    return {.value = Duration{value_ns_.load(std::memory_order_relaxed)},
            .heard = Instant{Duration{heard_ns_.load(std::memory_order_relaxed)}}};
  }
  void add(Duration took, Instant now, const dispatch::LatencyLaw& law) {
    const auto after = dispatch::after_answer(get(), took, now, law);
    value_ns_.store(after.value.count(), std::memory_order_relaxed);
    heard_ns_.store(after.heard.time_since_epoch().count(), std::memory_order_relaxed);
  }

 private:
  std::atomic<std::int64_t> value_ns_ = 0;
  std::atomic<std::int64_t> heard_ns_ = dispatch::kNotHeard.time_since_epoch().count();
};

}  // namespace artel::pool::detail
