#include "artel/scenario/worker_settings.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::scenario {

BatchSettings::Full BatchSettings::full(double mean_service_s) const {
  double tasks = most;
  double each = mean_service_s;
  double joins = 1;  // of a task, in that time
  const double join = per_join.mean() + mean_join_row_s;
  if (step > Duration::zero()) {
    each = to_seconds(step);
    joins = std::min(1.0, each / mean_service_s);
    if (memory < kForever) tasks = std::clamp(to_seconds(memory) / mean_service_s, 1.0, tasks);
  }
  return {.time = fixed.mean() + tasks * (per_task + per_work * each + joins * join),
          .service = tasks * each};
}

bool SpeedTimetable::alike() const {
  return std::ranges::all_of(points, [](const Point& point) { return point.workers.empty(); });
}

std::vector<SpeedTimetable::Point> SpeedTimetable::of(std::uint32_t worker) const {
  std::vector<Point> own;
  for (const auto& point : points) {
    const auto& named = point.workers;
    if (named.empty() || std::ranges::find(named, worker) != named.end()) own.push_back(point);
  }
  return own;
}

double SpeedTimetable::mean(std::uint32_t worker) const {
  const auto own = of(worker);
  if (own.empty()) return 1;
  double clock = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto until = i + 1 < own.size() ? own[i + 1].at : day + own.front().at;
    clock += own[i].speed * to_seconds(until - own[i].at);
  }
  return clock / to_seconds(day);
}

bool WorkerSettings::plain() const {
  return slots == 1 && discipline == Discipline::fifo && !batch && !cache && !failures &&
         !start_up && !slow_start && speed_states.empty() && !speed_timetable;
}

bool WorkerSettings::drawn() const {
  return (failures && failures->mtbf > Duration::zero()) || !speed_states.empty() ||
         (batch && batch->fixed.variance() + batch->per_join.variance() > 0) ||
         (start_up && start_up->time.variance() > 0);
}

std::uint32_t WorkerSettings::places() const { return batch ? batch->most : slots; }

double WorkerSettings::capacity(double mean_service_s) const {
  double capacity = slots;
  if (!total_speed.empty()) capacity = *std::max_element(total_speed.begin(), total_speed.end());
  if (batch) {
    const auto full = batch->full(mean_service_s);
    capacity = full.service / full.time;
  }
  double seconds = 0;
  double clock = 0;
  for (const auto& state : speed_states) {
    seconds += to_seconds(state.mean_duration);
    clock += state.speed * to_seconds(state.mean_duration);
  }
  if (seconds > 0) capacity *= clock / seconds;
  if (failures && failures->mtbf > Duration::zero()) {
    const double up = to_seconds(failures->mtbf);
    capacity *= up / (up + to_seconds(failures->mttr));
  }
  return capacity;
}

}  // namespace artel::scenario
