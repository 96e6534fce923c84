#include "artel/fleet/detail/fleet_scaler.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <variant>

#include "artel/core/instant.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scaling/scaling_policy.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {

FleetScaler::FleetScaler(const scenario::Scenario& scenario, std::uint32_t replication)
    : settings_(*scenario.pool.scaling),
      scaler_(settings_.policy, settings_.limits),
      start_ups_(scenario.run.seed, "start-ups", replication) {}

void FleetScaler::served(Duration size) {
  ++served_;
  service_s_ += to_seconds(size);
}

scaling::FleetSample FleetScaler::sample(Instant now) {
  const double seconds = to_seconds(now - since_);
  scaling::FleetSample sample{.at = now,
                              .in_service = in_service_.mean(now),
                              .in_system = in_system_.mean(now),
                              .waiting = std::max(0.0, in_system_.value() - in_service_.value())};
  if (seconds > 0) sample.arrivals = static_cast<double>(arrivals_) / seconds;
  if (served_ > 0) sample.service_s = service_s_ / static_cast<double>(served_);
  since_ = now;
  in_system_.reset(now);
  in_service_.reset(now);
  arrivals_ = served_ = 0;
  service_s_ = 0;
  return sample;
}

std::uint32_t FleetScaler::size_for(const scaling::FleetSample& sample, bool left) {
  const auto size = scaler_.size_for(sample);
  if (size > 0) return size;
  if (!left) {
    left_since_.reset();
    return 0;
  }
  if (!left_since_) left_since_ = sample.at;
  const auto* timetable = std::get_if<scaling::Timetable>(&scaler_.policy());
  const Duration longest = timetable != nullptr ? timetable->day : std::chrono::hours(24);
  return sample.at >= later(*left_since_, longest) ? 1 : 0;
}

Duration FleetScaler::start_up() {
  return from_seconds(std::max(0.0, settings_.start_up(start_ups_)));
}

}  // namespace artel::fleet::detail
