#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "artel/fleet/observation.hpp"

namespace artel::report::detail {

/// Runs of the same tasks that were watched.
struct WatchedRuns {
  std::optional<std::size_t> point = std::nullopt;  ///< of a study
  std::uint32_t parts_per_task = 1;
  fleet::TimeWindow window{};
  std::vector<std::string> names;  ///< one per run: the policy
  std::span<const fleet::Observation> runs;
};

/// They for the page: series over time, rows of workers and the tasks of the window. As JSON, see
/// docs/report.md. Requires: there is a run; all have as many workers.
[[nodiscard]] std::string observation_json(const WatchedRuns& watched);

}  // namespace artel::report::detail
