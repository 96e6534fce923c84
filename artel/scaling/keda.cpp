#include "artel/scaling/keda.hpp"

#include <algorithm>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/scaling/fleet_sample.hpp"

namespace artel::scaling {

std::uint32_t Keda::size_for(const FleetSample& sample, dispatch::SizeLimits limits,
                             State& state) const {
  const bool active = value_of(sample, hpa.metric) > activation;
  if (active || !state.active) state.active = sample.at;
  if (sample.workers == 0 && limits.min == 0) return active ? 1 : 0;
  if (!active && limits.min == 0 && sample.at >= later(*state.active, cooldown)) return 0;
  limits.min = std::max(limits.min, 1U);
  return hpa.size_for(sample, limits, state.hpa);
}

}  // namespace artel::scaling
