#include "artel/scenario/pool_settings.hpp"

#include <cstdint>

namespace artel::scenario {

double PoolSettings::capacity(double mean_service_s) const {
  double speed = 0;
  for (std::uint32_t w = 0; w < speeds.size(); ++w)
    speed += speeds[w] * (worker.speed_timetable ? worker.speed_timetable->mean(w) : 1);
  return speed * worker.capacity(mean_service_s);
}

}  // namespace artel::scenario
