#include "artel/fleet/observation.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/time_series.hpp"

namespace artel::fleet {
namespace {

std::size_t share_rounded_up(std::size_t whole, std::size_t parts) {
  return std::max<std::size_t>(1, (whole + parts - 1) / parts);
}

}  // namespace

Observation::Observation(std::size_t workers, std::optional<TimeWindow> window)
    : window_(window),
      running_(workers),
      workers_per_row_(share_rounded_up(workers, kRowsMax)),
      rows_(share_rounded_up(workers, workers_per_row_), TimeSeries(kRowBuckets)) {}

void Observation::arrived(Instant now) {
  in_system_.add(now, 1);
  if (in_system_.value() <= peak_in_system_) return;
  peak_in_system_ = in_system_.value();
  peak_ = now;
}

void Observation::started(Instant now, WorkerId worker, Instant arrival) {
  busy_.add(now, 1);
  running_[index(worker)] = {.arrival = arrival, .start = now};
}

void Observation::finished(Instant now, WorkerId worker) {
  busy_.add(now, -1);
  if (!window_ || index(worker) >= kRowsMax) return;
  const auto& task = running_[index(worker)];
  if (now <= window_->from || task.start >= window_->to) return;
  if (tasks_.size() == kTasksMax) {
    ++tasks_left_out_;
    return;
  }
  tasks_.push_back({.worker = worker, .arrival = task.arrival, .start = task.start, .end = now});
}

void Observation::ended(Instant now) {
  in_system_.advance(now);
  busy_.advance(now);
  for (auto& row : rows_) row.advance(now);
}

TimeWindow window_around_peak(const Observation& observation, double mean_service_s) {
  constexpr double kServices = 400;  // of all workers that are shown
  const auto rows = std::min(observation.workers(), Observation::kRowsMax);
  const double services_each = std::clamp(kServices / static_cast<double>(rows), 6.0, 40.0);
  const auto half = from_seconds(services_each * mean_service_s / 2);
  const auto from = std::max(Instant{}, observation.peak() - half);
  return {.from = from, .to = from + 2 * half};
}

}  // namespace artel::fleet
