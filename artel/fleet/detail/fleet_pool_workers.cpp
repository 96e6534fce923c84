// The workers of a simulated pool at work.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_pool.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/server.hpp"
#include "artel/fleet/detail/task_path.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::fleet::detail {

void FleetPool::serve(std::uint32_t id) {
  auto& task = tasks_[id];
  auto& worker = at(task.worker);
  workers_.move_clock(worker);
  if (cold_starts_.begins(task.worker)) empty_cache(task.worker);
  if (placement_.caches().any()) use_cache(task);
  ++worker.inside;
  workers_.stop_or_go(worker);
  worker.server->enter(job_of(task, id, scenario_.pool.worker.discipline), now(), workers_.news());
  settle(task.worker);
}

// After something has happened there.
void FleetPool::settle(WorkerId id, TaskEnding ending) {
  workers_.stop_or_go(at(id));
  take_news(id, ending);
  owner_->settled();
}

std::span<const std::uint32_t> FleetPool::take_ended(WorkerId id) {
  auto& worker = at(id);
  ended_.clear();
  std::swap(ended_, workers_.news().ended);
  worker.inside -= static_cast<std::uint32_t>(ended_.size());
  if (worker.inside == 0 && !ended_.empty() && !pulling_.active()) note_idle(id);
  if (shows_tasks_) {
    for ([[maybe_unused]] const auto task : ended_) meter_.finished(now(), id);
  }
  return ended_;
}

// What has ended in a server that serves together leaves; it begins with who comes for it.
void FleetPool::hand_on(WorkerId id) {
  hands_on(+1);
  take_news(id, TaskEnding::served);
  hands_on(-1);
  if (at(id).goes) at(id).server->go(now(), workers_.news());
}

void FleetPool::note_idle(WorkerId id) {
  cold_starts_.idle(id);
  placement_.note_delay(id, Duration::zero());
}

void FleetPool::note_starts(WorkerId id) {
  auto& worker = at(id);
  const auto busy = worker.goes ? worker.server->busy() : 0;
  if (busy != worker.busy) {
    const double change = static_cast<double>(busy) - static_cast<double>(worker.busy);
    if (!shows_tasks_) meter_.busy(now(), change);
    size_.busy(change);
  }
  worker.busy = busy;
  for (const auto started : workers_.news().started) {
    auto& task = tasks_[started];
    task.start = now();
    if (shows_tasks_) meter_.started(now(), id, task.arrival);
    if (recorder_.active()) recorder_.started(task);
    if (one_by_one_) {
      task.begun = true;
      placement_.started(task);
    }
    if (scenario_.workload.patience) cancel(task.give_up);
    if (task.of_request()) owner_->began(task);
    if (beacons_.active()) beacons_.started(id);
    placement_.note_delay(id, now() - task.bound);
  }
  workers_.news().started.clear();
  if (one_by_one_ && worker.server->busy() == 0) placement_.stopped(id);
  workers_.schedule(id);
}

void FleetPool::on(const fleet_event::ServerChange& event) {
  auto& worker = at(event.worker);
  const bool together = worker.server->serves_together();
  if (together) worker.server->stop();
  workers_.change(worker);
  if (together) hand_on(event.worker);
  settle(event.worker);
  if (pulling_.active()) pulling_.ended(event.worker);
}

// Tasks that are at the worker and not in service.
std::uint32_t FleetPool::waiting_at(WorkerId id) {
  if (pulling_.active()) return pulling_.waiting(id);
  return at(id).bound - at(id).server->busy();
}

// Another worker has taken the task, which waited.
void FleetPool::move(std::uint32_t id, WorkerId to) {
  auto& task = tasks_[id];
  placement_.unbind(task);
  meter_.shrank(now(), task.worker, --at(task.worker).bound);
  if (beacons_.active()) beacons_.withdrawn(task.worker);
  task.worker = to;
  placement_.bind(task);
  meter_.grew(now(), to, ++at(to).bound);
  if (beacons_.active()) beacons_.bound(to);
}

// Nobody waits for it any more: its worker throws it away.
void FleetPool::expire(std::uint32_t id) {
  const auto worker = tasks_[id].worker;
  if (beacons_.active()) {
    beacons_.started(worker);
    beacons_.finished(worker);
  }
  leave(id, TaskEnding::gave_up);
}

void FleetPool::on(const fleet_event::ServerWake& event) {
  auto& worker = at(event.worker);
  worker.wake_at = kNever;
  workers_.move_clock(worker);
  worker.server->wake(now(), workers_.news());
  settle(event.worker);
}

void FleetPool::on(const fleet_event::Warm& event) {
  auto& worker = at(event.worker);
  workers_.move_clock(worker);
  cold_starts_.ended(event.worker);
  if (worker.inside == 0) note_idle(event.worker);  // who came has gone away
  outages_.started(event.worker);
  settle(event.worker);
}

template class TaskPath<FleetPool, PoolKind>;

}  // namespace artel::fleet::detail
