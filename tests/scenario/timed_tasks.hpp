#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/scenario/workload_trace.hpp"

namespace artel::scenario {

/// The workload's tasks are of these sizes and come one every `gap`, the first at 0.
inline void come_every(Duration gap, std::vector<Duration> sizes, Workload& workload) {
  WorkloadTrace trace;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    trace.arrivals.push_back(Instant{gap * static_cast<int>(i)});
  trace.services = std::move(sizes);
  workload.trace = std::make_shared<WorkloadTrace>(std::move(trace));
  workload.arrivals = TraceArrivals{};
  workload.service = TraceService{};
}

}  // namespace artel::scenario
