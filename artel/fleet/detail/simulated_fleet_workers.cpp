// The workers of a simulated fleet at work: their servers' clocks, failures and cold starts.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/fleet/detail/caller_life.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_scaler.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/server.hpp"
#include "artel/fleet/detail/simulated_fleet.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::fleet::detail {

// Before anything happens at the worker.
void SimulatedFleet::move_clock(FleetWorker& worker) {
  const double clock = to_seconds(now() - worker.since) * worker.rate();
  worker.since = now();
  if (clock > 0) worker.server->advance(std::min(clock, worker.server->until_change()));
}

// Its server is to know whether it works.
void SimulatedFleet::stop_or_go(FleetWorker& worker) {
  const bool works = worker.rate() > 0;
  if (works == std::exchange(worker.goes, works)) return;
  works ? worker.server->go(now(), news_) : worker.server->stop();
}

// After something has happened there.
void SimulatedFleet::settle(WorkerId id, Departure ending) {
  stop_or_go(at(id));
  take_news(id, ending);
  if (!whole().heard_.empty()) tell_callers();
}

void SimulatedFleet::take_news(WorkerId id, Departure ending) {
  auto& worker = at(id);
  note_starts(worker);
  if (one_by_one_ && worker.server->busy() == 0) table_.stop(id);
  news_.started.clear();
  std::swap(ended_, news_.ended);
  worker.inside -= static_cast<std::uint32_t>(ended_.size());
  if (worker.inside == 0 && !ended_.empty()) note_idle(id);
  schedule(id);
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
  take_news(id, Departure::served);
  --whole().handing_on_;
  if (at(id).goes) at(id).server->go(now(), news_);
}

void SimulatedFleet::note_idle(WorkerId id) {
  // Who is given the next task at this very moment was not idle.
  at(id).cold_from = later(now(), std::max(start_up_.keep_warm, Duration{1}));
  if (table_.needs().inputs.has(dispatch::PolicyInput::delay))
    table_.set_delay(id, Duration::zero());
}

void SimulatedFleet::note_starts(FleetWorker& worker) {
  const auto busy = worker.goes ? worker.server->busy() : 0;
  if (busy != worker.busy) {
    const double change = static_cast<double>(busy) - static_cast<double>(worker.busy);
    meter_.busy(now(), change);
    if (scaler_) scaler_->busy(now(), change);
  }
  worker.busy = busy;
  for (const auto id : news_.started) {
    auto& task = tasks_[id];
    task.start = now();
    if (one_by_one_) {
      task.begun = true;
      table_.advance(now());
      table_.start(task.worker, task.hint);
    }
    if (scenario_.workload.patience) cancel(task.give_up);
    if (caller_ && task.request < kNobody) {
      requests_[task.request].begun = true;
      if (scenario_.workload.callers.tied) tell(task.request, CallerNews::began);
    }
    if (table_.needs().inputs.has(dispatch::PolicyInput::delay))
      table_.set_delay(task.worker, now() - task.bound);
  }
}

void SimulatedFleet::schedule(WorkerId id) {
  auto& worker = at(id);
  Instant change = kNever;
  const double left = worker.server->until_change();
  const double rate = worker.rate();
  if (rate > 0 && left < std::numeric_limits<double>::infinity())
    change = later(now(), from_seconds(left / rate));
  if (change != worker.change_at) {
    if (worker.change_at != kNever) cancel(worker.change);
    if (change != kNever) worker.change = emit_self(fleet_event::ServerChange{id}, change - now());
    worker.change_at = change;
  }
  const auto wake = worker.server->wakes_at().value_or(kNever);
  if (wake != worker.wake_at) {
    if (worker.wake_at != kNever) cancel(worker.wake);
    if (wake != kNever)
      worker.wake = emit_self(fleet_event::ServerWake{id}, std::max(wake, now()) - now());
    worker.wake_at = wake;
  }
}

void SimulatedFleet::on(const fleet_event::ServerChange& event) {
  auto& worker = at(event.worker);
  worker.change_at = kNever;
  worker.since = now();
  const double moment = 0.5e-9 * worker.rate();
  const bool together = worker.server->serves_together();
  if (together) worker.server->stop();
  do {  // what ends in one nanosecond ends together, however it was rounded
    worker.server->change(now(), news_);
  } while (worker.server->until_change() < moment);
  if (together) hand_on(event.worker);
  settle(event.worker);
}

void SimulatedFleet::on(const fleet_event::ServerWake& event) {
  auto& worker = at(event.worker);
  worker.wake_at = kNever;
  move_clock(worker);
  worker.server->wake(now(), news_);
  settle(event.worker);
}

void SimulatedFleet::on(const fleet_event::Warm& event) {
  auto& worker = at(event.worker);
  move_clock(worker);
  worker.warm = true;
  if (worker.inside == 0) note_idle(event.worker);  // who came has gone away
  start_slowly(event.worker);
  settle(event.worker);
}

}  // namespace artel::fleet::detail
