#include "artel/experiment/detail/fleet_scaler.hpp"

#include <algorithm>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scaling/scaling_policy.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::experiment::detail {

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

Duration FleetScaler::start_up() {
  return from_seconds(std::max(0.0, settings_.start_up(start_ups_)));
}

}  // namespace artel::experiment::detail
