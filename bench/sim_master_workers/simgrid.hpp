#pragma once

#include <cstdint>

#include "examples/master_workers/model/workload.hpp"

namespace artel::bench {

struct SimGridReport {
  double run_seconds = 0;
  double scheduling_seconds = 0;
  std::uint32_t completed = 0;
};

/// The same model in s4u: an actor per core, the master's rule the same. Once per process.
[[nodiscard]] SimGridReport run_simgrid(const master_workers::Workload& workload);

}  // namespace artel::bench
