#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "artel/core/instant.hpp"
#include "artel/fleet/observation.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::fleet {

/// Watches a run that is over: what an Observation would have seen of these tasks, with times since
/// `origin`. Workers that the trace does not name leave only tasks in the system.
///
/// Cost:  O(n log n), some 70 bytes per task while it works.
/// Requires: no task before `origin`.
[[nodiscard]] Observation observe_tasks(std::span<const trace::TaskRecord> tasks,
                                        std::size_t workers, Instant origin,
                                        std::optional<TimeWindow> window = std::nullopt);

}  // namespace artel::fleet
