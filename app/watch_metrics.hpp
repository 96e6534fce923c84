#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "artel/core/instant.hpp"
#include "artel/watch/fleet_watch.hpp"

namespace artel::app {

/// Where to look, and at what.
struct WatchedMetrics {
  std::string address;
  /// Counters of a program that is not artel's, as 'requests_total{job="shop"}': of tasks that
  /// ended, and of the seconds (':ms' behind it: milliseconds) that they took. Empty: artel's own.
  std::string tasks, work;
  std::uint32_t workers = 0;  ///< that there are, if the counters are others'
};

/// Looks at the metrics there every so often, tells `fleet` how its counters grow and calls
/// `looked` with the time, since 1970, until asked to stop. A server that is away is asked again;
/// stderr hears of it once. Ends the command if the address is none, or has no such metrics.
void watch_metrics(watch::FleetWatch& fleet, const WatchedMetrics& watched, Duration every,
                   const std::function<void(Instant)>& looked, const std::stop_token& stop);

}  // namespace artel::app
