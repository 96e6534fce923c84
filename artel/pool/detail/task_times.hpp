#pragma once

#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::pool::detail {

/// What is known about a task that is measured, observed or recorded; most tasks of a busy pool
/// carry none.
struct TaskTimes {
  static constexpr std::uint64_t kQueuedWorkerMax = (1U << 20U) - 1;
  static constexpr std::uint64_t kQueuedCommonMax = (1U << 24U) - 1;

  Instant submitted{};
  Instant bound{};  ///< when a worker's own queue took it over from the common queue; zero: at once
  std::uint64_t weight : 16 = 1;        ///< how many tasks it stands for in the histograms; 0: none
  std::uint64_t of_conditions : 1 = 0;  ///< this is the TaskTimes of a SubmitConditions
  std::uint64_t recorded : 1 = 0;       ///< goes into the recording; its times are of TickClock
  std::uint64_t priority : 2 = 1;       ///< a Priority
  std::uint64_t queued_worker : 20 = 0;  ///< waiting at the chosen worker, when it was placed
  std::uint64_t queued_common : 24 = 0;  ///< waiting in the common queue, when it was placed

  /// Whether anybody wants its times.
  [[nodiscard]] bool wanted() const { return weight != 0 || recorded != 0; }
};
static_assert(sizeof(TaskTimes) == 24);

}  // namespace artel::pool::detail
