#pragma once

#include <cstdint>
#include <optional>

#include "artel/core/instant.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/scaling/fleet_sample.hpp"
#include "artel/scaling/hpa.hpp"

namespace artel::scaling {

/// KEDA with a scaler of queue length: an Hpa on the tasks in the system, which may come down to
/// no worker at all.
///
/// From 0 to 1 when the metric exceeds `activation`, looked at every `period`; to 0, if that is the
/// minimum, when it has not for `cooldown`. In between: `hpa`.
/// Cost, threads: as Hpa.
/// Source: KEDA documentation, Scaling Deployments and ScaledObject specification (2.14).
struct Keda {
  Hpa hpa{.metric = ScalingMetric::in_system, .target = 5};
  double activation = 0;
  Duration cooldown = std::chrono::minutes(5);

  /// What it remembers from sample to sample.
  struct State {
    Hpa::State hpa{};                 ///< that of the Hpa in between
    std::optional<Instant> active{};  ///< when it exceeded the activation last
  };

  /// How many workers there should be, within the limits.
  [[nodiscard]] std::uint32_t size_for(const FleetSample& sample, dispatch::SizeLimits limits,
                                       State& state) const;
};

}  // namespace artel::scaling
