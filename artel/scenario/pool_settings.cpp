#include "artel/scenario/pool_settings.hpp"

#include <cstdint>

namespace artel::scenario {

double PoolSettings::capacity(double mean_service_s) const {
  double speed = 0;
  const auto& timetable = worker.speed_timetable;
  if (!timetable) {
    for (const double each : speeds) speed += each;
  } else {
    const bool alike = timetable->alike();
    const double mean = timetable->mean(0);
    for (std::uint32_t w = 0; w < speeds.size(); ++w)
      speed += speeds[w] * (alike ? mean : timetable->mean(w));
  }
  return speed * worker.capacity(mean_service_s);
}

}  // namespace artel::scenario
