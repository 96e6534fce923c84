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
/// Every `polling` it looks whether the metric exceeds `activation`: from 0 to 1 when it does; to
/// 0, if that is the minimum, when it has not for `cooldown`. In between: `hpa`, in its own period.
/// Cost, threads: as Hpa.
/// Source: KEDA documentation 2.14: ScaledObject specification (pollingInterval, cooldownPeriod),
/// Scaling Deployments (activating and scaling).
struct Keda {
  Hpa hpa{.metric = ScalingMetric::in_system, .target = 5};
  /// Between looks at activity; a look takes place with the first decision that is due.
  Duration polling = std::chrono::seconds(30);
  double activation = 0;
  Duration cooldown = std::chrono::minutes(5);

  /// What it remembers from sample to sample.
  struct State {
    Hpa::State hpa{};                 ///< that of the Hpa in between
    std::optional<Instant> polled{};  ///< when it was looked last …
    std::optional<Instant> active{};  ///< … and that exceeded the activation
  };

  /// How many workers there should be, within the limits.
  [[nodiscard]] std::uint32_t size_for(const FleetSample& sample, dispatch::SizeLimits limits,
                                       State& state) const;
};

}  // namespace artel::scaling
