#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "artel/trace/task_trace.hpp"

namespace artel::pool {

/// How a task ended. A pool's stats know the first four: a task that was rejected was never one of
/// its tasks.
using trace::TaskOutcome;
inline constexpr std::size_t kOutcomes = 4;
static_assert(static_cast<std::size_t>(TaskOutcome::rejected) == kOutcomes);

/// How many tasks ended, and how.
struct Outcomes {
  std::array<std::uint64_t, kOutcomes> counts{};  ///< by TaskOutcome

  /// Tasks that ended so.
  [[nodiscard]] std::uint64_t of(TaskOutcome outcome) const {
    return counts[static_cast<std::size_t>(outcome)];
  }
  /// All that ended.
  [[nodiscard]] std::uint64_t ended() const {
    return counts[0] + counts[1] + counts[2] + counts[3];
  }
  /// Counts those as well.
  void add(const Outcomes& other) {
    for (std::size_t i = 0; i < kOutcomes; ++i) counts[i] += other.counts[i];
  }
};

}  // namespace artel::pool
