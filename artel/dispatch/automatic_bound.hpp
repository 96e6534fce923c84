#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::dispatch {

/// Measured work that is bound to one worker at most, where its queue has no bound of its own.
inline constexpr Duration kBoundWork = std::chrono::microseconds(100);

/// Tasks that fit into such a queue.
inline constexpr std::uint32_t kAutomaticCapacity = 1024;

/// How many tasks may wait at a worker that has no bound of its own: about `kBoundWork` of measured
/// work, at least one if the worker is idle. Long tasks are bound only to idle workers; the others
/// wait in the common queue for whoever is free first.
[[nodiscard]] constexpr std::uint32_t automatic_bound(Duration service, bool busy,
                                                      std::uint32_t capacity) {
  const auto fit = kBoundWork / std::max(service, Duration{1});
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(fit, busy ? 0 : 1, capacity));
}

}  // namespace artel::dispatch
