#include "artel/scaling/fleet_roster.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"

namespace artel::scaling {

FleetRoster::FleetRoster(std::uint32_t workers_max, Pauses pauses)
    : workers_max_(workers_max), pauses_(pauses) {}

void FleetRoster::resize(std::uint32_t size) {
  ARTEL_REQUIRE(size <= workers_max_, "a size within the limits", size, workers_max_);
  size_ = size;
}

std::uint32_t FleetRoster::ready() const {
  return static_cast<std::uint32_t>(std::ranges::count_if(
      workers_, [](const auto& entry) { return entry.second.ready && !entry.second.leaving; }));
}

std::size_t FleetRoster::staying() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(workers_, [](const auto& entry) { return !entry.second.leaving; }));
}

FleetRoster::Changes FleetRoster::changes(Instant now) const {
  Changes changes;
  const std::size_t there = staying();
  if (there < size_ && !pauses_at(now) && workers_.size() < workers_max_) {
    changes.starts =
        static_cast<std::uint32_t>(std::min(size_ - there, workers_max_ - workers_.size()));
  }
  if (there <= size_) return changes;
  std::vector<std::pair<WorkerName, Member>> stay;
  for (const auto& entry : workers_) {
    if (!entry.second.leaving) stay.emplace_back(entry);
  }
  std::ranges::sort(stay, {}, [](const auto& entry) {
    const Member& worker = entry.second;
    return std::tuple(worker.ready, worker.tasks, -static_cast<std::int64_t>(worker.number));
  });
  stay.resize(there - size_);
  for (const auto& entry : stay) changes.ends.push_back(entry.first);
  return changes;
}

Instant FleetRoster::changes_next(Instant now) const {
  const bool waits = staying() < size_ && workers_.size() < workers_max_ && pauses_at(now);
  return waits ? paused_until_.value_or(kNever) : kNever;
}

void FleetRoster::started(WorkerName worker) { workers_[worker] = {.number = ++started_}; }

Duration FleetRoster::not_started(Instant now) {
  if (!pauses_at(now)) {
    const bool again = paused_until_ && now < later(*paused_until_, pauses_.settled);
    pause_ = again ? std::min(2 * pause_, pauses_.most) : pauses_.first;
    paused_until_ = later(now, pause_);
  }
  return paused_until_.value_or(now) - now;
}

void FleetRoster::answered(WorkerName worker, std::size_t tasks) {
  const auto at = workers_.find(worker);
  if (at == workers_.end()) return;
  at->second.ready = true;
  at->second.tasks = tasks;
}

void FleetRoster::asked_to_leave(WorkerName worker) {
  const auto at = workers_.find(worker);
  if (at != workers_.end()) at->second.leaving = true;
}

FleetRoster::Departure FleetRoster::gone(WorkerName worker, Instant now) {
  const auto at = workers_.find(worker);
  ARTEL_REQUIRE(at != workers_.end(), "a worker that is there", worker);
  const Member was = at->second;
  workers_.erase(at);
  return {.was_asked = was.leaving,
          .was_ready = was.ready,
          .pause = was.leaving ? Duration{} : not_started(now)};
}

}  // namespace artel::scaling
