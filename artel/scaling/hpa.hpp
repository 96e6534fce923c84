#pragma once

#include <cstdint>
#include <deque>

#include "artel/core/instant.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/scaling/fleet_sample.hpp"

namespace artel::scaling {

/// How far a fleet may grow or shrink in a stretch of time: by the larger of the two.
struct ScalingStep {
  double percent = 100;                        ///< of the workers at its beginning
  std::uint32_t workers = 0;                   ///< as many
  Duration within = std::chrono::seconds(15);  ///< the stretch of time
};

/// The horizontal autoscaler of Kubernetes (autoscaling/v2) with its default behaviour: workers in
/// proportion to a metric.
///
/// The ratio of the metric per ready worker to `target` says how many are wanted; within
/// `tolerance` of 1 nothing changes. Fewer than now come only after all that was wanted in the last
/// `stabilisation_down` was fewer; `up` and `down` bound the steps. With the metric in_service, as
/// for processor time there, workers on their way count as idle when the fleet is to grow, and not
/// at all when it is to shrink; the other metrics are of the fleet as a whole.
/// A fleet of none stays one: there is no metric per worker.
/// Cost:    O(periods in the stabilisation windows) per decision.
/// Threads: const and free of state; a State belongs to one thread at a time.
/// Source:  Kubernetes documentation, Horizontal Pod Autoscaling, Algorithm details and
///          Configurable scaling behavior (1.27); tests/scaling/hpa.csv has its answers step by
///          step.
struct Hpa {
  Duration period = std::chrono::seconds(15);
  ScalingMetric metric = ScalingMetric::in_service;
  double target = 0.7;  ///< of the metric, per worker
  double tolerance = 0.1;
  /// More workers come only after all that was wanted in so long was more.
  Duration stabilisation_up{};
  Duration stabilisation_down = std::chrono::minutes(5);
  ScalingStep up{.workers = 4};
  ScalingStep down{};

  /// A size or a change of it, and when it was.
  struct Sizing {
    Instant at{};              ///< when
    std::int64_t workers = 0;  ///< wanted, or how many more there were
  };
  struct State {
    std::deque<Sizing> wanted{};   ///< before stabilisation
    std::deque<Sizing> changes{};  ///< of the size
  };

  /// How many workers there should be, within the limits.
  [[nodiscard]] std::uint32_t size_for(const FleetSample& sample, dispatch::SizeLimits limits,
                                       State& state) const;

 private:
  [[nodiscard]] double wanted_for(const FleetSample& sample) const;
  [[nodiscard]] double stabilised(const FleetSample& sample, double wanted, State& state) const;
};

}  // namespace artel::scaling
