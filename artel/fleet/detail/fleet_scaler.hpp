#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/scaling/scaling_policy.hpp"
#include "artel/scaling/timetable.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/stat/time_average.hpp"

namespace artel::fleet::detail {

/// What the scaling policy of a simulated fleet sees, and what it says.
class FleetScaler {
 public:
  /// Requires: the scenario, which must outlive it, has a scaling policy.
  FleetScaler(const scenario::Scenario& scenario, std::uint32_t replication);

  void arrived() { ++arrivals_; }
  void entered(Instant now) { in_system_.add(now, 1); }
  void left(Instant now) { in_system_.add(now, -1); }
  void busy(Instant now, double change) { in_service_.add(now, change); }
  void served(Duration size);

  /// What happened since the last time; the workers are to be added.
  [[nodiscard]] scaling::FleetSample sample(Instant now);
  /// How many workers there should be. `left`: tasks wait, and nobody else will come before they
  /// are served. A policy that has wanted no worker for them for a day (a timetable for one of its
  /// own) gets one, so that every run ends.
  [[nodiscard]] std::uint32_t size_for(const scaling::FleetSample& sample, bool left);
  /// Of a timetable: how long it says the same. Requires: it is one.
  [[nodiscard]] Duration holds_for(Instant at) const {
    return std::get<scaling::Timetable>(scaler_.policy()).holds_for(at);
  }
  [[nodiscard]] Duration period() const { return scaling::period(scaler_.policy()); }
  [[nodiscard]] Duration metric_delay() const { return settings_.metric_delay; }
  /// How long the next worker takes to come.
  [[nodiscard]] Duration start_up();

 private:
  const scenario::ScalingSettings& settings_;
  scaling::Scaler scaler_;
  random::Stream start_ups_;
  stat::TimeAverage in_system_;
  stat::TimeAverage in_service_;
  Instant since_{};
  std::uint64_t arrivals_ = 0;
  std::uint64_t served_ = 0;
  double service_s_ = 0;               // of those, together
  std::optional<Instant> left_since_;  // tasks, and no worker is wanted
};

}  // namespace artel::fleet::detail
