#pragma once

#include <cstdint>
#include <string>

#include "artel/core/error.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/scaling/scaling_policy.hpp"

namespace artel::app {

/// A policy, and the sizes between which it decides.
struct FleetScaling {
  scaling::ScalingPolicy policy;
  dispatch::SizeLimits limits;
};

/// How a policy is written, and of what fleet.
struct FleetScalingText {
  std::string policy;             ///< "hpa(target=0.7, min=2)": keys of [pool.scaling]
  std::uint32_t workers_max = 1;  ///< where the text has no `max`
  std::uint32_t slots = 1;        ///< tasks that a worker runs at once
};

/// Reads it. Errors: as of plan::scale_fleet(), without `where`; keys of simulated fleets alone;
/// unsupported in a build without scenarios.
[[nodiscard]] Result<FleetScaling> read_fleet_scaling(const FleetScalingText& text);

}  // namespace artel::app
