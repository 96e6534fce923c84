#pragma once

#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/platform/platform.hpp"
#include "tests/simgrid/workload.hpp"

/// What our models make of the same.
namespace artel::sim::simgrid_check {

[[nodiscard]] std::vector<double> artel_ends(const Platform& platform,
                                             const std::vector<TransferPlan>& plan);

[[nodiscard]] std::vector<double> artel_rates(const Platform& platform,
                                              const std::vector<TransferPlan>& plan, Duration first,
                                              Duration second);

/// On time-shared cores.
[[nodiscard]] std::vector<double> artel_ends(const Platform& platform,
                                             const std::vector<ExecutionPlan>& plan);

}  // namespace artel::sim::simgrid_check
