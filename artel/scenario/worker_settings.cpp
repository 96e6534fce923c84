#include "artel/scenario/worker_settings.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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

namespace {

using Chances = std::vector<std::vector<double>>;

bool in_order(std::span<const SpeedState> states) {
  return std::ranges::all_of(states, [](const SpeedState& state) { return state.next.empty(); });
}

// By row: how likely each state follows.
Chances chances_of(std::span<const SpeedState> states) {
  Chances chances;
  for (std::size_t i = 0; i < states.size(); ++i) {
    chances.push_back(states[i].next);
    if (!chances.back().empty()) continue;
    chances.back().assign(states.size(), 0);
    chances.back()[(i + 1) % states.size()] = 1;
  }
  return chances;
}

}  // namespace

// State by state the last one is left out, and its ways go straight to where they lead: without a
// subtraction, so that nothing is lost (Grassmann, Taksar, Heyman 1985).
std::vector<double> visits(std::span<const SpeedState> states) {
  std::vector<double> visits(states.size(), 1);
  if (in_order(states)) return visits;
  auto chances = chances_of(states);
  for (std::size_t last = states.size() - 1; last > 0; --last) {
    double away = 0;
    for (std::size_t to = 0; to < last; ++to) away += chances[last][to];
    for (std::size_t from = 0; from < last; ++from) {
      chances[from][last] /= away;
      for (std::size_t to = 0; to < last; ++to)
        chances[from][to] += chances[from][last] * chances[last][to];
    }
  }
  for (std::size_t i = 1; i < states.size(); ++i) {
    visits[i] = 0;
    for (std::size_t from = 0; from < i; ++from) visits[i] += visits[from] * chances[from][i];
  }
  return visits;
}

std::optional<UnreachedState> unreached(std::span<const SpeedState> states) {
  if (in_order(states)) return std::nullopt;
  const auto chances = chances_of(states);
  for (std::size_t from = 0; from < states.size(); ++from) {
    std::vector<bool> seen(states.size(), false);
    std::vector<std::size_t> open{from};
    while (!open.empty()) {
      const auto state = open.back();
      open.pop_back();
      if (seen[state]) continue;
      seen[state] = true;
      for (std::size_t to = 0; to < states.size(); ++to) {
        if (chances[state][to] > 0 && !seen[to]) open.push_back(to);
      }
    }
    const auto missing = std::ranges::find(seen, false);
    if (missing != seen.end())
      return UnreachedState{static_cast<std::size_t>(missing - seen.begin()), from};
  }
  return std::nullopt;
}

bool WorkerSettings::drawn() const {
  return (failures && failures->mtbf > Duration::zero()) || !speed_states.empty() ||
         (batch && batch->fixed.variance() + batch->per_join.variance() > 0) ||
         (start_up && start_up->time.variance() > 0);
}

bool WorkerSettings::one_by_one() const {
  using enum Discipline;
  const bool breaks = preemptive || discipline == srpt || discipline == ps || discipline == las;
  return places() == 1 && !breaks;
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
  const auto often = visits(speed_states);
  for (std::size_t i = 0; i < speed_states.size(); ++i) {
    const double stays = often[i] * to_seconds(speed_states[i].mean_duration);
    seconds += stays;
    clock += speed_states[i].speed * stays;
  }
  if (seconds > 0) capacity *= clock / seconds;
  if (failures && failures->mtbf > Duration::zero()) {
    const double up = to_seconds(failures->mtbf);
    capacity *= up / (up + to_seconds(failures->mttr));
  }
  return capacity;
}

}  // namespace artel::scenario
