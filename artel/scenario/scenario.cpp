#include "artel/scenario/scenario.hpp"

#include <numeric>

namespace artel::scenario {

double Scenario::load() const {
  const double capacity = std::accumulate(pool.speeds.begin(), pool.speeds.end(), 0.0);
  return workload.rate * workload.mean_service_s * workload.fork / capacity;
}

}  // namespace artel::scenario
