#include "artel/scaling/timetable.hpp"

#include <algorithm>
#include <cstdint>

#include "artel/core/instant.hpp"
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

Duration Timetable::holds_for(Instant at) const {
  if (entries.size() < 2) return kForever;
  const auto time = at.time_since_epoch() % day;
  const auto next = std::ranges::upper_bound(entries, time, {}, &Entry::from);
  return (next == entries.end() ? day + entries.front().from : next->from) - time;
}

}  // namespace artel::scaling
