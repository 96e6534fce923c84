#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/measure.hpp"

namespace artel::bench::sim_calendar {

/// The hold model: `pending` events; again and again the next one is taken and another put in, some
/// time later. `delays` are gone through in a circle, so that drawing them costs nothing.
struct Workload {
  std::string name;
  std::size_t pending = 0;
  std::size_t holds = 0;
  const std::vector<std::uint64_t>* delays = nullptr;
};

/// Through a Simulation, with a component whose handler puts the next one in.
Outcome run_artel(const Workload& workload);
/// Bare queues in a loop: levels of 256 buckets by the highest differing byte, and nothing else…
Outcome run_wheel(const Workload& workload);
/// …heaps of two and of four children.
Outcome run_heap(const Workload& workload);
Outcome run_heap4(const Workload& workload);

/// Bytes of memory that the program has now, after it has given back what it can.
std::size_t resident_bytes();

/// What a run took.
struct Cost {
  double filling_s = 0;
  double holding_s = 0;
  std::size_t bytes_before = 0;
  std::size_t bytes_filled = 0;
};

/// `sum` depends on all times in the order in which they came.
[[nodiscard]] Outcome outcome(const Workload& workload, const Cost& cost, std::uint64_t sum);

}  // namespace artel::bench::sim_calendar
