#pragma once

#include <cstdint>
#include <optional>

#include "artel/metrics/metrics_page.hpp"

namespace artel::metrics {

/// What a fleet did between two looks at it.
struct FleetGrowth {
  double tasks = 0;           ///< that ended
  double busy_s = 0;          ///< workers' time that they took
  std::uint32_t workers = 0;  ///< that there are now
};

/// By artel's own metrics: of all pools of the page together, or else of all workers of a cluster.
/// Nothing: no program of artel serves the pages, or not the same one.
[[nodiscard]] std::optional<FleetGrowth> fleet_growth(const MetricsPage& before,
                                                      const MetricsPage& now);

}  // namespace artel::metrics
