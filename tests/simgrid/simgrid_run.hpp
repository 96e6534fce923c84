#pragma once

#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "tests/simgrid/workload.hpp"

/// What SimGrid makes of a platform. Its engine exists once per program, so every run is a program
/// of its own, forked from this one.
///
/// Its corrections for TCP are switched off, and what is left is max-min fairness:
///   network/model:CM02          latency and bandwidth factors 1, weight-S 0
///   network/TCP-gamma:0         no window, which would limit the rate to gamma / (2 · latency)
///   network/crosstraffic:0      no acknowledgements, which take 5 % of the way back
///   network/optim:Full          for shares: its lazy mode does not bring amounts up to date when
///                               they are asked for
/// One thing stays, and has no switch: SimGrid shares a link in proportion to 1 / latency of the
/// flows' routes (round-trip times). Flows that compete have to have equal latencies for a
/// comparison.
namespace artel::sim::simgrid_check {

/// When each transfer ended, in seconds.
[[nodiscard]] std::vector<double> simgrid_ends(const std::string& xml,
                                               const std::vector<TransferPlan>& plan);

/// The rate of each transfer between two instants, in bytes per second.
[[nodiscard]] std::vector<double> simgrid_rates(const std::string& xml,
                                                const std::vector<TransferPlan>& plan,
                                                Duration first, Duration second);

/// When each execution ended, in seconds.
[[nodiscard]] std::vector<double> simgrid_ends(const std::string& xml,
                                               const std::vector<ExecutionPlan>& plan);

}  // namespace artel::sim::simgrid_check
