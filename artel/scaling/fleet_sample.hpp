#pragma once

#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::scaling {

/// A fleet as a scaling policy sees it, once in a period. Averages are over the time since the last
/// sample. All figures are of the whole fleet.
struct FleetSample {
  Instant at{};               ///< when it was taken
  std::uint32_t workers = 0;  ///< that there are or that are on their way; not those that leave
  std::uint32_t ready = 0;    ///< of them: take tasks
  double in_service = 0;      ///< tasks being served, on average
  double in_system = 0;       ///< tasks that wait or are being served, on average
  double waiting = 0;         ///< tasks that wait now
  double arrivals = 0;        ///< per second
  double service_s = 0;       ///< mean service time of those that ended, seconds; 0: none did
};

/// What a policy looks at.
enum class ScalingMetric : std::uint8_t { in_service, in_system, waiting, arrivals };

/// Of the whole fleet.
[[nodiscard]] constexpr double value_of(const FleetSample& sample, ScalingMetric metric) {
  switch (metric) {
    case ScalingMetric::in_service:
      return sample.in_service;
    case ScalingMetric::in_system:
      return sample.in_system;
    case ScalingMetric::waiting:
      return sample.waiting;
    case ScalingMetric::arrivals:
      return sample.arrivals;
  }
  return 0;
}

}  // namespace artel::scaling
