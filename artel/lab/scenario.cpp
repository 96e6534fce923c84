#include "artel/lab/scenario.hpp"

#include <numeric>

namespace artel::lab {

Instant TraceArrivals::replayed(Instant at) const {
  return scale == 1 ? at : Instant{from_seconds(to_seconds(at) / scale)};
}

double Scenario::load() const {
  const double capacity = std::accumulate(pool.speeds.begin(), pool.speeds.end(), 0.0);
  return workload.rate * workload.mean_service_s * workload.fork / capacity;
}

}  // namespace artel::lab
