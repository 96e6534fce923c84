#include "artel/sim/model/speedup.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "artel/core/require.hpp"

namespace artel::sim {

Speedup amdahl_speedup(double serial) {
  ARTEL_REQUIRE(serial >= 0 && serial <= 1, "a serial part lies between 0 and 1", serial);
  return [serial](std::uint32_t cores) {
    return 1 / (serial + (1 - serial) / static_cast<double>(cores));
  };
}

Speedup measured_speedup(std::vector<double> by_cores) {
  ARTEL_REQUIRE(!by_cores.empty(), "a speedup was measured for one core at least");
  for (const double speedup : by_cores) {
    ARTEL_REQUIRE(speedup > 0 && std::isfinite(speedup), "a speedup is positive", speedup);
  }
  return [by_cores = std::move(by_cores)](std::uint32_t cores) {
    return by_cores[std::min(std::size_t{cores}, by_cores.size()) - 1];
  };
}

}  // namespace artel::sim
