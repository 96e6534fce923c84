#include "artel/scaling/keda.hpp"

#include <algorithm>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/scaling/fleet_sample.hpp"

namespace artel::scaling {

std::uint32_t Keda::size_for(const FleetSample& sample, dispatch::SizeLimits limits,
                             State& state) const {
  const bool polls = !state.polled || sample.at >= later(*state.polled, polling);
  if (polls) state.polled = sample.at;
  const bool active = value_of(sample, hpa.metric) > activation;
  if ((polls && active) || !state.active) state.active = sample.at;
  if (limits.min == 0) {
    if (sample.workers == 0) return polls && active ? 1 : 0;
    if (polls && !active && sample.at >= later(*state.active, cooldown)) return 0;
  }
  limits.min = std::max(limits.min, 1U);
  return hpa.size_for(sample, limits, state.hpa);
}

}  // namespace artel::scaling
