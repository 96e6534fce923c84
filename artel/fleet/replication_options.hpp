#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/batch_series.hpp"
#include "artel/fleet/observation.hpp"
#include "artel/stat/histogram.hpp"

namespace artel::fleet {

/// Histograms of response and wait keep this many bits: quantiles are right to 0.05%.
inline constexpr unsigned kHistogramBits = 10;

/// The times of counted tasks, in ns.
struct CountedTimes {
  stat::Histogram responses{kHistogramBits};  ///< of those that completed
  stat::Histogram waits{kHistogramBits};      ///< of those that completed, or gave up waiting
};

/// Which replication, what of it counts, and who watches it.
struct ReplicationOptions {
  std::uint32_t index = 0;          ///< which replication: selects the random streams
  std::uint64_t warm_up_tasks = 0;  ///< leave out the tasks that arrive first …
  Duration warm_up{};               ///< … and those that arrive before this time
  std::stop_token stop{};           ///< asked to stop: what has been measured is not complete
  CountedTimes* times = nullptr;    ///< the times of all tasks are added here …
  std::vector<CountedTimes>* class_times = nullptr;  ///< … and those of each class put here
  BatchSeries* series = nullptr;       ///< response times in seconds, for warm-up detection
  Observation* observation = nullptr;  ///< watches the run from its first task on
  /// Hears every some milliseconds what part of the run is over, 0 to 1.
  std::function<void(double part)> progress{};
};

}  // namespace artel::fleet
