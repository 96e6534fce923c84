#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace artel::sim {

/// How many times faster a computation is on so many cores than on one: > 0 for every number ≥ 1.
/// Any function will do; empty: as many times as there are cores.
using Speedup = std::function<double(std::uint32_t cores)>;

/// A part of the work is not parallel: 1 / (serial + (1 - serial) / cores).
/// Requires: 0 <= serial <= 1.
/// Source: G. Amdahl, Validity of the single processor approach (1967).
[[nodiscard]] Speedup amdahl_speedup(double serial);

/// Measured values: the first is for one core, the second for two…; the last one holds for more.
/// Requires: not empty, all > 0.
[[nodiscard]] Speedup measured_speedup(std::vector<double> by_cores);

}  // namespace artel::sim
