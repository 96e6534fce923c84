#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "artel/core/instant.hpp"
#include "artel/watch/fleet_watch.hpp"

namespace artel::app {

/// Looks at the metrics there every so often, tells `fleet` how its counters grow and calls
/// `looked` with the time, since 1970, until asked to stop. A server that is away is asked again;
/// stderr hears of it once. Ends the command if the address is none, or not of a program of artel.
void watch_metrics(watch::FleetWatch& fleet, const std::string& address, Duration every,
                   const std::function<void(Instant)>& looked, const std::stop_token& stop);

}  // namespace artel::app
