#include "artel/scaling/timetable.hpp"

#include <algorithm>
#include <cstdint>

#include "artel/core/require.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/scaling/fleet_sample.hpp"

namespace artel::scaling {

std::uint32_t Timetable::size_for(const FleetSample& sample, dispatch::SizeLimits limits,
                                  State& /*state*/) const {
  ARTEL_REQUIRE(!entries.empty(), "a timetable has an entry");
  const auto time = sample.at.time_since_epoch() % day;
  auto size = entries.back().workers;
  for (const auto& entry : entries) {
    if (entry.from <= time) size = entry.workers;
  }
  return std::clamp(size, limits.min, limits.max);
}

}  // namespace artel::scaling
