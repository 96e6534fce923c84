#include "artel/scenario/worker_settings.hpp"

#include <algorithm>
#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::scenario {

bool WorkerSettings::plain() const {
  return slots == 1 && discipline == Discipline::fifo && !batch && !failures && !start_up;
}

bool WorkerSettings::drawn() const {
  return failures || (batch && batch->fixed.variance() > 0) ||
         (start_up && start_up->time.variance() > 0);
}

std::uint32_t WorkerSettings::places() const { return batch ? batch->most : slots; }

double WorkerSettings::capacity(double mean_service_s) const {
  double capacity = slots;
  if (!total_speed.empty()) capacity = *std::max_element(total_speed.begin(), total_speed.end());
  if (batch) {
    const double tasks = batch->most;
    const double time =
        batch->fixed.mean() + tasks * (batch->per_task + batch->per_work * mean_service_s);
    capacity = tasks * mean_service_s / time;
  }
  if (failures) {
    const double up = to_seconds(failures->mtbf);
    capacity *= up / (up + to_seconds(failures->mttr));
  }
  return capacity;
}

}  // namespace artel::scenario
