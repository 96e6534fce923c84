#include "artel/scaling/fleet_meter.hpp"

#include <algorithm>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/scaling/fleet_sample.hpp"

namespace artel::scaling {

FleetMeter::FleetMeter(const FleetLook& first) : start_(first.at), before_(first), now_(first) {}

void FleetMeter::look(const FleetLook& look) {
  now_ = look;
  ++looks_;
  in_system_ += std::max(0.0, look.in_system);
}

FleetSample FleetMeter::sample() {
  ARTEL_REQUIRE(looks_ > 0, "a sample is made of looks");
  const double seconds = std::max(1e-9, to_seconds(now_.at - before_.at));
  FleetSample sample{.at = Instant{now_.at - start_},
                     .in_service = std::max(0.0, now_.busy_s - before_.busy_s) / seconds,
                     .in_system = in_system_ / looks_,
                     .waiting = std::max(0.0, now_.waiting),
                     .arrivals = std::max(0.0, now_.arrived - before_.arrived) / seconds};
  const double measured = now_.measured - before_.measured;
  if (measured > 0) {
    sample.service_s = std::max(0.0, now_.service_s - before_.service_s) / measured;
  }
  before_ = now_;
  in_system_ = 0;
  looks_ = 0;
  return sample;
}

}  // namespace artel::scaling
