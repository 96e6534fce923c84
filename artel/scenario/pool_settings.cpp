#include "artel/scenario/pool_settings.hpp"

#include <numeric>

namespace artel::scenario {

double PoolSettings::capacity(double mean_service_s) const {
  return std::accumulate(speeds.begin(), speeds.end(), 0.0) * worker.capacity(mean_service_s);
}

}  // namespace artel::scenario
