#include "artel/fleet/detail/plain_fleet.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/arriving_tasks.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/task_path.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {

bool PlainFleet::is_plain(const scenario::Scenario& scenario, const scenario::PolicySpec& policy) {
  constexpr scenario::Features kByPolicy(scenario::Feature::take_over);
  return features_of(scenario).without(kByPolicy).empty() &&
         !policy.take_over.value_or(scenario.pool.take_over);
}

PlainFleet::PlainFleet(const scenario::Scenario& scenario, const scenario::PolicySpec& policy,
                       std::uint32_t replication, Meter& meter)
    : TaskPath(scenario, policy, replication, meter) {
  for (const double speed : scenario.pool.speeds) workers_.push_back({.speed = speed});
}

void PlainFleet::open() {
  open_beacons();
  schedule_arrival();
}

inline void PlainFleet::take_arrival() {
  PlainTask task{.arrival = now(), .counted = meter_.arrived(now())};
  task.key = source_.key();
  task.size = source_.size();
  task.hint = source_.hint(task.size);
  place(tasks_.add(task), std::nullopt);
}

inline void PlainFleet::enter(std::uint32_t id) {
  auto& task = tasks_[id];
  auto& worker = at(task.worker);
  if (worker.running != TaskQueue::kNobody) return worker.waiting.push(tasks_, id);
  worker.running = started_ = id;
  note_starts(task.worker);
}

void PlainFleet::on(const fleet_event::ServerChange& event) {
  auto& worker = at(event.worker);
  ended_ = worker.running;
  worker.running = started_ = worker.waiting.pop(tasks_);
  take_news(event.worker, TaskEnding::served);
}

inline std::span<const std::uint32_t> PlainFleet::take_ended(WorkerId id) {
  meter_.finished(now(), id);
  return {&ended_, 1};
}

// Where nothing has started, the worker has nothing to do.
inline void PlainFleet::note_starts(WorkerId id) {
  const auto started = std::exchange(started_, TaskQueue::kNobody);
  if (started == TaskQueue::kNobody) {
    placement_.stopped(id);
    placement_.note_delay(id, Duration::zero());
    return;
  }
  auto& task = tasks_[started];
  task.start = now();
  task.begun = true;
  if (beacons_.active()) beacons_.started(id);
  placement_.started(task);
  placement_.note_delay(id, now() - task.bound);
  meter_.started(now(), id, task.arrival);
  const double speed = at(id).speed;
  const auto service = speed == 1 ? task.size : from_seconds(to_seconds(task.size) / speed);
  emit_self(fleet_event::ServerChange{id}, service);
}

inline void PlainFleet::left(std::uint32_t id, TaskEnding ending) {
  const auto& task = tasks_[id];
  if (ending == TaskEnding::served) {
    meter_.completed(now(), task.arrival, task.start, task.counted);
  } else {
    meter_.rejected(now(), task.counted);
  }
}

template class ArrivingTasks<PlainFleet, PlainEventHandler>;
template class TaskPath<PlainFleet, PlainKind>;

}  // namespace artel::fleet::detail
