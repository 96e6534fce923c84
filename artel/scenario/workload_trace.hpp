#pragma once

#include <vector>

#include "artel/core/instant.hpp"

namespace artel::scenario {

/// The rows of a trace, at the pace they were recorded; shared by all points of a study.
struct WorkloadTrace {
  std::vector<Instant> arrivals;   ///< since the first row; ascending; empty when not asked for
  std::vector<Duration> services;  ///< at speed 1, one per row; empty when not asked for
  std::vector<Duration> joins;     ///< BatchSettings::per_join, one per row; likewise
  std::vector<Duration> hints;     ///< what dispatchers are told of the service; empty: no more
                                   ///< than Workload::hint_error says
};

}  // namespace artel::scenario
