#include "artel/experiment/simulated_fleet.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/placement.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/experiment/class_meter.hpp"
#include "artel/experiment/detail/fleet_scaler.hpp"
#include "artel/experiment/detail/server.hpp"
#include "artel/experiment/meter.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::experiment {

SimulatedFleet::SimulatedFleet(const scenario::Scenario& scenario,
                               const scenario::PolicySpec& policy, std::uint32_t replication,
                               Meter& meter, ClassMeter& classes)
    : scenario_(scenario),
      replication_(replication),
      queue_bound_(policy.queue_bound),
      table_(policy.policy,
             {.min = 0, .max = static_cast<std::uint32_t>(scenario.pool.workers_max())},
             random::Stream(scenario.run.seed, "dispatcher", replication)()),
      meter_(meter),
      classes_(classes),
      source_(scenario, replication),
      common_bound_(scenario.pool.when_full == dispatch::WhenFull::block
                        ? dispatch::kUnbounded
                        : scenario.pool.common_bound),
      workers_(first_workers()),
      dispatchers_(scenario, replication, table_.loads()),
      failures_(scenario.pool.worker.failures.value_or(scenario::FailureSettings{})),
      start_up_(scenario.pool.worker.start_up.value_or(scenario::StartUpSettings{})),
      patience_(scenario.run.seed, "patience", replication),
      held_(scenario.pool.worker.discipline) {
  ARTEL_REQUIRE(table_.closed_loop() == nullptr, "a fleet knows no beacons");
  if (scenario.pool.scaling) scaler_ = std::make_unique<detail::FleetScaler>(scenario, replication);
}

void SimulatedFleet::open() {
  if (dispatchers_.stale()) on(fleet_event::ViewRefresh{});
  schedule_arrival();
  for (std::size_t w = 0; w < workers_.size(); ++w) plan_failure(dispatch::worker(w));
  if (scaler_) emit_self(fleet_event::Look{}, scaler_->period());
}

// ---- Tasks

void SimulatedFleet::schedule_arrival() {
  if (const auto arrival = source_.next_arrival()) {
    emit_self(fleet_event::TaskArrival{}, *arrival - now());
  } else {
    source_open_ = false;
    meter_.source_ended(now());
  }
}

std::uint32_t SimulatedFleet::new_task(const FleetTask& task) {
  ++in_system_;
  if (scaler_) scaler_->entered(now());
  if (free_tasks_.empty()) {
    tasks_.push_back(task);
    return static_cast<std::uint32_t>(tasks_.size() - 1);
  }
  const auto id = free_tasks_.back();
  free_tasks_.pop_back();
  tasks_[id] = task;
  return id;
}

void SimulatedFleet::on(const fleet_event::TaskArrival&) {
  const auto parts = scenario_.workload.fork;
  FleetTask task{.arrival = now(), .counted = meter_.arrived(now())};
  task.task_class = source_.task_class();
  classes_.arrived(task.task_class, task.counted);
  if (scaler_) scaler_->arrived();
  if (parts > 1) task.forked = forked_tasks_.open(parts);
  const auto& chooser = table_.chooser();
  std::optional<WorkerId> chosen;
  for (std::uint32_t i = 0; i < parts; ++i) {
    task.size = source_.size(task.task_class);
    task.hint = source_.hint(task.size);
    const auto id = new_task(task);
    // A dispatcher names the first part's worker; the others go to those that follow it.
    const bool decides = i == 0 && (parts > 1 || !dispatchers_.all_knowing());
    if (decides) chosen = dispatchers_.decide(chooser, table_.loads(), task.hint);
    place(id, chosen);
    if (chosen)
      chosen = WorkerId{static_cast<std::uint32_t>((index(*chosen) + 1) % workers_.size())};
  }
  schedule_arrival();
}

// Somebody has room.
WorkerId SimulatedFleet::choose(Duration hint) {
  const auto chosen = table_.choose(table_.draw(hint));
  ARTEL_REQUIRE(chosen.has_value(), "a policy names a worker when one has room");
  return *chosen;
}

void SimulatedFleet::place(std::uint32_t id, std::optional<WorkerId> chosen) {
  using Kind = dispatch::Placement::Kind;
  const auto hint = tasks_[id].hint;
  table_.advance(now());
  const bool fits = chosen && table_.loads().load(*chosen).room() > 0;
  dispatch::Placement placement{.kind = Kind::rejected};
  if (fits || table_.open()) {
    placement = {.kind = Kind::assigned, .worker = fits ? *chosen : choose(hint)};
  } else if (held_.size() < common_bound_) {
    placement.kind = Kind::held;
  }
  if (dispatchers_.own_views()) {
    tasks_[id].note = dispatchers_.open_note();
    dispatchers_.note(tasks_[id].note, placement, hint);
  }
  if (placement.kind == Kind::rejected) return leave(id, Departure::rejected);
  if (scenario_.workload.patience) {
    const double seconds = (*scenario_.workload.patience)(patience_);
    tasks_[id].give_up = emit_self(fleet_event::GiveUp{id}, from_seconds(std::max(0.0, seconds)));
  }
  if (placement.kind == Kind::assigned) {
    bind(id, placement.worker);
  } else {
    held_.push({.job = job_of(id), .left = to_seconds(tasks_[id].size), .order = ++arrived_});
  }
}

detail::ServerJob SimulatedFleet::job_of(std::uint32_t id) const {
  const auto& classes = scenario_.workload.classes;
  const auto& task = tasks_[id];
  return {.id = id,
          .priority = classes.empty() ? 0 : classes[task.task_class].priority,
          .work = to_seconds(task.size)};
}

void SimulatedFleet::bind_held() {
  while (!held_.empty() && table_.open()) {
    const auto id = held_.pop().job.id;
    bind(id, choose(tasks_[id].hint));
  }
}

void SimulatedFleet::bind(std::uint32_t id, WorkerId worker) {
  auto& task = tasks_[id];
  task.worker = worker;
  task.bound = now();
  table_.bind(worker, task.hint);
  meter_.grew(now(), worker, ++at(worker).bound);
  const auto reaches = task.arrival + scenario_.dispatch.network_delay;
  if (reaches <= now()) return enter(id);
  task.where = Where::travelling;
  task.reach = emit_self(fleet_event::Reach{id}, reaches - now());
}

void SimulatedFleet::on(const fleet_event::Reach& event) { enter(event.task); }

void SimulatedFleet::enter(std::uint32_t id) {
  auto& task = tasks_[id];
  auto& worker = at(task.worker);
  task.where = Where::at_worker;
  move_clock(worker);
  if (scenario_.pool.worker.start_up && worker.inside == 0 && worker.warm &&
      now() >= worker.cold_from) {
    worker.warm = false;
    const double seconds = start_up_.time(worker.fate);
    worker.warming =
        emit_self(fleet_event::Warm{task.worker}, from_seconds(std::max(0.0, seconds)));
  }
  ++worker.inside;
  worker.server->enter(job_of(id), now(), news_);
  settle(task.worker);
}

void SimulatedFleet::on(const fleet_event::GiveUp& event) {
  auto& task = tasks_[event.task];
  switch (task.where) {
    case Where::held:
      held_.remove(event.task);
      break;
    case Where::travelling:
      cancel(task.reach);
      break;
    case Where::at_worker:
      move_clock(at(task.worker));
      if (!at(task.worker).server->withdraw(event.task)) return;
      --at(task.worker).inside;
      settle(task.worker);
      break;
  }
  leave(event.task, Departure::gave_up);
  bind_held();
}

// The task is no more at any worker's server, nor in the common queue.
void SimulatedFleet::leave(std::uint32_t id, Departure ending) {
  const auto task = tasks_[id];
  free_tasks_.push_back(id);
  --in_system_;
  if (scaler_) {
    scaler_->left(now());
    if (ending == Departure::served) scaler_->served(task.size);
  }
  if (scenario_.workload.patience) cancel(task.give_up);
  if (ending != Departure::rejected) {
    dispatchers_.note_done(task.note);
    if (task.where != Where::held) {
      table_.unbind(task.worker, task.hint);
      meter_.shrank(now(), task.worker, --at(task.worker).bound);
      if (scaler_) retire_if_gone(task.worker);
    }
  }
  if (ending == Departure::gave_up) {
    meter_.gave_up(now(), task.arrival, task.counted);
    return classes_.gave_up(task.task_class, now() - task.arrival, task.counted);
  }
  if (ending == Departure::lost) {
    meter_.lost(now(), task.counted);
    return classes_.lost(task.task_class, task.counted);
  }
  const auto end = forked_tasks_.ended(
      task.forked, {.start = task.start, .rejected = ending == Departure::rejected});
  if (!end) return;
  if (end->rejected) {
    meter_.rejected(now(), task.counted);
    classes_.rejected(task.task_class, task.counted);
  } else {
    meter_.completed(now(), task.arrival, end->start, task.counted);
    classes_.completed(task.task_class, now() - task.arrival, end->start - task.arrival,
                       task.counted);
  }
}

// ---- Workers

// Before anything happens at the worker.
void SimulatedFleet::move_clock(FleetWorker& worker) {
  const double clock = to_seconds(now() - worker.since) * worker.rate();
  worker.since = now();
  if (clock > 0) worker.server->advance(std::min(clock, worker.server->until_change()));
}

// After something has happened there.
void SimulatedFleet::settle(WorkerId id, Departure ending) {
  auto& worker = at(id);
  for (const auto task : news_.started) {
    worker.to_start.push_back(task);
    if (scenario_.workload.patience) cancel(tasks_[task].give_up);
  }
  news_.started.clear();
  note_starts(worker);
  std::swap(ended_, news_.ended);
  worker.inside -= static_cast<std::uint32_t>(ended_.size());
  if (worker.inside == 0 && !ended_.empty()) {
    worker.cold_from = later(now(), start_up_.keep_warm);
    if (table_.needs().delay) table_.set_delay(id, Duration::zero());
  }
  schedule(id);
  if (ended_.empty()) return;
  table_.advance(now());
  for (const auto task : ended_) {
    std::erase(worker.to_start, task);
    leave(task, ending);
  }
  ended_.clear();
  bind_held();
}

void SimulatedFleet::note_starts(FleetWorker& worker) {
  const auto busy = worker.rate() > 0 ? worker.server->busy() : 0;
  if (busy != worker.busy) {
    const double change = static_cast<double>(busy) - static_cast<double>(worker.busy);
    meter_.busy(now(), change);
    if (scaler_) scaler_->busy(now(), change);
  }
  worker.busy = busy;
  if (worker.rate() == 0) return;
  for (const auto id : worker.to_start) {
    auto& task = tasks_[id];
    task.start = now();
    if (table_.needs().delay) table_.set_delay(task.worker, now() - task.bound);
  }
  worker.to_start.clear();
}

void SimulatedFleet::schedule(WorkerId id) {
  auto& worker = at(id);
  Instant change = kNever;
  const double left = worker.server->until_change();
  if (worker.rate() > 0 && left < std::numeric_limits<double>::infinity())
    change = later(now(), from_seconds(left / worker.rate()));
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
  worker.server->change(now(), news_);
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
  settle(event.worker);
}

void SimulatedFleet::plan_failure(WorkerId id) {
  if (!scenario_.pool.worker.failures || (!source_open_ && in_system_ == 0)) return;
  const double up = -std::log1p(-at(id).fate.uniform()) * to_seconds(failures_.mtbf);
  at(id).turn = emit_self(fleet_event::Fail{id}, from_seconds(up));
}

void SimulatedFleet::on(const fleet_event::Fail& event) {
  auto& worker = at(event.worker);
  move_clock(worker);
  worker.up = false;
  if (failures_.task == scenario::FailureSettings::TaskFate::restart) worker.server->restart();
  if (failures_.task == scenario::FailureSettings::TaskFate::lose)
    worker.server->lose(now(), news_);
  settle(event.worker, Departure::lost);
  const double down = -std::log1p(-worker.fate.uniform()) * to_seconds(failures_.mttr);
  worker.turn = emit_self(fleet_event::Repair{event.worker}, from_seconds(down));
}

void SimulatedFleet::on(const fleet_event::Repair& event) {
  auto& worker = at(event.worker);
  move_clock(worker);
  worker.up = true;
  settle(event.worker);
  plan_failure(event.worker);
}

void SimulatedFleet::on(const fleet_event::ViewRefresh&) {
  table_.advance(now());
  dispatchers_.refresh(table_.loads());
  if (source_open_) emit_self(fleet_event::ViewRefresh{}, scenario_.dispatch.staleness);
}

}  // namespace artel::experiment
