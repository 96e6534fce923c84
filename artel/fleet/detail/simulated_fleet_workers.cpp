// The workers of a simulated fleet at work: their servers' clocks, failures and cold starts.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/server.hpp"
#include "artel/fleet/detail/simulated_fleet.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::fleet::detail {

// After something has happened there.
void SimulatedFleet::settle(WorkerId id, TaskEnding ending) {
  workers_.stop_or_go(at(id));
  take_news(id, ending);
  if (whole().callers_.news()) tell_callers();
}

void SimulatedFleet::take_news(WorkerId id, TaskEnding ending) {
  auto& worker = at(id);
  note_starts(worker);
  if (one_by_one_ && worker.server->busy() == 0) placement_.stopped(id);
  workers_.news().started.clear();
  std::swap(ended_, workers_.news().ended);
  worker.inside -= static_cast<std::uint32_t>(ended_.size());
  if (worker.inside == 0 && !ended_.empty()) note_idle(id);
  workers_.schedule(id);
  if (ended_.empty()) return;
  for (const auto task : ended_) {
    leave(task, ending);
  }
  ended_.clear();
  bind_held();
}

// What has ended in a server that serves together leaves; it begins with who comes for it.
void SimulatedFleet::hand_on(WorkerId id) {
  ++whole().handing_on_;
  take_news(id, TaskEnding::served);
  --whole().handing_on_;
  if (at(id).goes) at(id).server->go(now(), workers_.news());
}

void SimulatedFleet::note_idle(WorkerId id) {
  // Who is given the next task at this very moment was not idle.
  at(id).cold_from = later(now(), std::max(start_up_.keep_warm, Duration{1}));
  placement_.note_delay(id, Duration::zero());
}

void SimulatedFleet::note_starts(FleetWorker& worker) {
  const auto busy = worker.goes ? worker.server->busy() : 0;
  if (busy != worker.busy) {
    const double change = static_cast<double>(busy) - static_cast<double>(worker.busy);
    meter_.busy(now(), change);
    size_.busy(change);
  }
  worker.busy = busy;
  for (const auto id : workers_.news().started) {
    auto& task = tasks_[id];
    task.start = now();
    if (one_by_one_) {
      task.begun = true;
      placement_.started(task);
    }
    if (scenario_.workload.patience) cancel(task.give_up);
    if (callers_.active() && task.of_request()) callers_.began(task);
    placement_.note_delay(task.worker, now() - task.bound);
  }
}

void SimulatedFleet::on(const fleet_event::ServerChange& event) {
  auto& worker = at(event.worker);
  const bool together = worker.server->serves_together();
  if (together) worker.server->stop();
  workers_.change(worker);
  if (together) hand_on(event.worker);
  settle(event.worker);
}

void SimulatedFleet::on(const fleet_event::ServerWake& event) {
  auto& worker = at(event.worker);
  worker.wake_at = kNever;
  workers_.move_clock(worker);
  worker.server->wake(now(), workers_.news());
  settle(event.worker);
}

void SimulatedFleet::on(const fleet_event::Warm& event) {
  auto& worker = at(event.worker);
  workers_.move_clock(worker);
  worker.warm = true;
  if (worker.inside == 0) note_idle(event.worker);  // who came has gone away
  outages_.started(event.worker);
  settle(event.worker);
}

}  // namespace artel::fleet::detail
