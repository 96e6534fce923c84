#include "artel/scenario/worker_settings.hpp"

#include <algorithm>
#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::scenario {

bool WorkerSettings::plain() const {
  return slots == 1 && discipline == Discipline::fifo && !batch && !failures && !start_up &&
         speed_states.empty();
}

bool WorkerSettings::drawn() const {
  return failures || !speed_states.empty() || (batch && batch->fixed.variance() > 0) ||
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
  double seconds = 0;
  double clock = 0;
  for (const auto& state : speed_states) {
    seconds += to_seconds(state.mean_duration);
    clock += state.speed * to_seconds(state.mean_duration);
  }
  if (seconds > 0) capacity *= clock / seconds;
  if (failures) {
    const double up = to_seconds(failures->mtbf);
    capacity *= up / (up + to_seconds(failures->mttr));
  }
  return capacity;
}

}  // namespace artel::scenario
