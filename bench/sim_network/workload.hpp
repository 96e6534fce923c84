#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/topology.hpp"
#include "bench/measure.hpp"

namespace artel::bench::network {

/// Transfers between the hosts of a fat tree, and changes one by one: the oldest transfer is given
/// up, or a new one starts, turn by turn, and each time all rates are brought up to date.
struct Workload {
  std::string name;
  std::uint32_t hosts = 1000;
  std::uint32_t ports = 16;
  std::size_t transfers = 100'000;
  std::size_t changes = 2'000;
};

/// What all contenders are given: links, and the route of each transfer.
struct Problem {
  std::vector<double> capacities;                ///< of the links, by LinkId
  std::vector<std::vector<sim::LinkId>> routes;  ///< of those at first, then of the new ones
};
[[nodiscard]] Problem make_problem(const Workload& workload);

/// The time per change, and the sum of the rates at the end, by which contenders agree. A sum of 0
/// is no answer: who makes fewer changes than the others has none.
[[nodiscard]] Outcome outcome(double seconds, std::size_t changes, double sum_of_rates);
/// What the sum is to be.
[[nodiscard]] double sum_of_rates(const Workload& workload);

/// Rates only: MaxMin.
[[nodiscard]] Outcome run_rates(const Workload& workload);
/// Rates and the time of the next end: FlowSet, what a RoutedNetwork uses.
[[nodiscard]] Outcome run_flows(const Workload& workload);
/// Every rate solved anew at each change, by the simplest algorithm.
[[nodiscard]] Outcome run_from_scratch(const Workload& workload);
/// SimGrid 3.32. Each run is a program of its own.
[[nodiscard]] Outcome run_simgrid(const Workload& workload);

}  // namespace artel::bench::network
