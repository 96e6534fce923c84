#include "artel/fleet/detail/simulated_fleet.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/placement.hpp"
#include "artel/fleet/detail/class_meter.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/outlier_ejection.hpp"
#include "artel/fleet/detail/put_off.hpp"
#include "artel/fleet/detail/server.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::fleet::detail {
SimulatedFleet::SimulatedFleet(const scenario::Scenario& scenario,
                               const scenario::PolicySpec& policy, std::uint32_t replication,
                               Meter& meter, ClassMeter& classes)
    : scenario_(scenario),
      meter_(meter),
      classes_(classes),
      grouped_(!scenario.workload.classes.empty() || !scenario.stages.empty()),
      one_by_one_(scenario.pool.worker.one_by_one()),
      source_(scenario, replication),
      rows_wait_(scenario.workload.trace && !scenario.workload.trace->patience.empty()),
      users_(std::get_if<scenario::ClosedArrivals>(&scenario.workload.arrivals)),
      admission_(scenario.pool),
      workers_(scenario, replication, *this),
      outages_(scenario, workers_, *this, *this),
      caches_(scenario),
      size_(scenario, replication, *this, meter, *this),
      placement_(scenario, policy, replication, caches_, *this),
      start_up_(scenario.pool.worker.start_up.value_or(scenario::StartUpSettings{})),
      thinks_(scenario.run.seed, "thinks", replication),
      callers_(scenario, replication, *this, *this),
      stages_(scenario, replication, *this, handing_on_) {
  if (const auto& ejection = scenario.dispatch.ejection)
    ejection_ = std::make_unique<OutlierEjection>(*ejection);
  for (std::size_t w = 0; w < scenario.pool.speeds.size(); ++w) {
    workers_.add();
    empty_cache(dispatch::worker(w));
  }
}

void SimulatedFleet::open() {
  if (placement_.stale()) on(fleet_event::ViewRefresh{});
  if (users_ != nullptr) {
    for (std::uint32_t user = 0; user < users_->users; ++user) think();
  } else if (first_ == nullptr) {
    schedule_arrival();
  }
  for (auto* stage : stages_.fleets()) stage->open();
  outages_.open();
  size_.open();
}

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
  size_.entered();
  if (free_tasks_.empty()) {
    tasks_.push_back(task);
    return static_cast<std::uint32_t>(tasks_.size() - 1);
  }
  const auto id = free_tasks_.back();
  free_tasks_.pop_back();
  tasks_[id] = task;
  return id;
}

void SimulatedFleet::on(const fleet_event::TaskArrival& event) {
  if (is_early(*this, event)) [[unlikely]] {
    put_off(*this, event);
    return;
  }
  take_arrival();
  schedule_arrival();
}

void SimulatedFleet::take_arrival() {
  FleetTask task{.arrival = now(), .counted = meter_.arrived(now())};
  if (const auto& classes = scenario_.workload.classes; !classes.empty()) {
    task.task_class = source_.task_class();
    task.priority = classes[task.task_class].priority;
  }
  task.due = later(now(), scenario_.workload.deadline_of(task.task_class));
  if (grouped_) classes_.arrived(task.task_class, task.counted);
  size_.arrived();
  begin(task);
}

void SimulatedFleet::begin(FleetTask& task) {
  const auto parts = scenario_.workload.fork;
  if (parts > 1) task.forked = forked_tasks_.open(parts);
  if (task.key == 0) task.key = source_.key();
  task.join = source_.join();
  if (caches_.any() || rows_wait_) task.row = source_.row();
  if (!callers_.active()) placement_.task_arrives();
  for (std::uint32_t i = 0; i < parts; ++i) {
    task.size = source_.size(task.task_class);
    task.hint = source_.hint(task.size);
    if (callers_.active()) {
      callers_.ask(task);
    } else {
      const auto chosen = placement_.decide(task);
      const auto id = new_task(task);
      if (first_ != nullptr) first_->stages_.parts_of(task.passing).push_back(id);
      place(id, chosen);
    }
  }
  if (callers_.active()) tell_callers();
}

void SimulatedFleet::place(std::uint32_t id, std::optional<WorkerId> chosen) {
  using Kind = dispatch::Placement::Kind;
  if (!admission_.admits(in_pool() - 1)) return leave(id, TaskEnding::rejected);
  const auto placement = placement_.place(tasks_[id], chosen, admission_);
  if (placement.kind == Kind::rejected) return leave(id, TaskEnding::rejected);
  if (scenario_.workload.patience) {
    const auto patience = source_.patience(tasks_[id].row);
    if (patience < kForever) tasks_[id].give_up = emit_self(fleet_event::GiveUp{id}, patience);
  }
  if (placement.kind == Kind::assigned) {
    bind(id, placement.worker);
  } else {
    placement_.hold(job_of(id), tasks_[id].size);
  }
}

ServerJob SimulatedFleet::job_of(std::uint32_t id) const {
  const auto& task = tasks_[id];
  const bool hurries = scenario_.pool.worker.discipline == scenario::Discipline::edf;
  return {.id = id,
          .priority = task.priority,
          .work = to_seconds(task.size),
          .deadline = hurries ? to_seconds(task.due) : 0,
          .join = to_seconds(task.join)};
}

void SimulatedFleet::bind(std::uint32_t id, WorkerId worker) {
  auto& task = tasks_[id];
  task.worker = worker;
  task.bound = now();
  placement_.bind(task);
  meter_.grew(now(), worker, ++at(worker).bound);
  const auto reaches = task.arrival + scenario_.dispatch.network_delay;
  if (reaches <= now()) return enter(id);
  task.where = FleetTask::Where::travelling;
  task.reach = emit_self(fleet_event::Reach{id}, reaches - now());
}

void SimulatedFleet::on(const fleet_event::Reach& event) { enter(event.task); }

void SimulatedFleet::enter(std::uint32_t id) {
  auto& task = tasks_[id];
  auto& worker = at(task.worker);
  task.where = FleetTask::Where::at_worker;
  workers_.move_clock(worker);
  if (scenario_.pool.worker.start_up && worker.inside == 0 && worker.warm &&
      now() >= worker.cold_from) {
    worker.warm = false;
    empty_cache(task.worker);
    const double seconds = start_up_.time(worker.fate);
    worker.warming =
        emit_self(fleet_event::Warm{task.worker}, from_seconds(std::max(0.0, seconds)));
  }
  if (caches_.any()) use_cache(task);
  ++worker.inside;
  workers_.stop_or_go(worker);
  worker.server->enter(job_of(id), now(), workers_.news());
  settle(task.worker);
}

void SimulatedFleet::on(const fleet_event::GiveUp& event) {
  if (is_early(*this, event)) {
    tasks_[event.task].give_up = put_off(*this, event);
    return;
  }
  if (!take_back(event.task, false)) return;
  leave(event.task, TaskEnding::gave_up);
  bind_held();
  tell_callers();
}

// From wherever it waits, or is served; false if it cannot be had. It has still to leave.
bool SimulatedFleet::take_back(std::uint32_t id, bool in_service) {
  const auto task = tasks_[id];
  switch (task.where) {
    case FleetTask::Where::held:
      placement_.withdraw(id);
      break;
    case FleetTask::Where::travelling:
      cancel(task.reach);
      break;
    case FleetTask::Where::at_worker: {
      auto& worker = at(task.worker);
      workers_.move_clock(worker);
      const bool gone = in_service ? worker.server->cancel(id, now(), workers_.news())
                                   : worker.server->withdraw(id);
      if (!gone) return false;
      --worker.inside;
      if (worker.inside == 0) note_idle(task.worker);
      settle(task.worker);
      break;
    }
  }
  return true;
}

// The task is no more at any worker's server, nor in the common queue.
void SimulatedFleet::leave(std::uint32_t id, TaskEnding ending) {
  auto& task = tasks_[id];  // nobody takes its place before all is said of it
  if (ending != TaskEnding::rejected)
    admission_.left(now(), now() - task.arrival, in_pool(), ending == TaskEnding::served);
  free_tasks_.push_back(id);
  --in_system_;
  size_.left(ending == TaskEnding::served ? std::optional(task.size) : std::nullopt);
  if (scenario_.workload.patience) cancel(task.give_up);
  if (ending != TaskEnding::rejected) {
    placement_.left(task, ending == TaskEnding::served);
    if (task.where != FleetTask::Where::held) {
      meter_.shrank(now(), task.worker, --at(task.worker).bound);
      if (size_.scales()) retire_if_gone(task.worker);
    }
  }
  if (ejection_ && task.request != FleetTask::kNobody) {  // else it has failed already
    if (ending == TaskEnding::lost) note_failure(task.worker);
    if (ending == TaskEnding::served) ejection_->succeeded(task.worker);
  }
  if (first_ != nullptr) std::erase(first_->stages_.parts_of(task.passing), id);
  if (task.request == FleetTask::kNoRequest) return finish(task, ending);
  if (task.request != FleetTask::kNobody) callers_.left(task, id);
  if (stages_.any()) {
    note_stage(0, task, ending);
    if (ending == TaskEnding::served && !nobody_hears(task)) return pass_on(task);
  }
  tell_end(task, ending);
}

// All that was to be done for a task, or a part of one, has been done.
void SimulatedFleet::finish(FleetTask& task, TaskEnding ending) {
  if (task.forked != ForkedTasks::kNotForked) {
    const bool lost = ending == TaskEnding::lost || ending == TaskEnding::gave_up;
    const auto end = forked_tasks_.ended(
        task.forked,
        {.start = task.start, .rejected = ending == TaskEnding::rejected, .lost = lost});
    if (!end) return;
    if (end->lost && ending != TaskEnding::gave_up) ending = TaskEnding::lost;
    if (end->rejected) ending = TaskEnding::rejected;
    task.start = end->start;
  }
  if (first_ != nullptr)
    return first_->stages_.stage_ended(task.passing, now(), task.start, ending);
  if (stages_.any() && !callers_.active()) {  // else each attempt of it went there
    note_stage(0, task, ending);
    if (ending == TaskEnding::served) return pass_on(task);
  }
  conclude(task, ending);
}

// What a class, or a stage, had of a task.
void SimulatedFleet::note_group(std::uint32_t group, const FleetTask& task, TaskEnding ending) {
  const auto response = now() - task.arrival;
  switch (ending) {
    case TaskEnding::rejected:
      return classes_.rejected(group, task.counted);
    case TaskEnding::gave_up:
      return classes_.gave_up(group, response, task.counted);
    case TaskEnding::served:
      return classes_.completed(group, response, task.start - task.arrival, task.counted);
    default:
      return classes_.lost(group, task.counted);
  }
}

void SimulatedFleet::conclude(const FleetTask& task, TaskEnding ending) {
  if (grouped_) note_group(task.task_class, task, ending);
  if (ending == TaskEnding::served) {
    meter_.completed(now(), task.arrival, task.start, task.counted);
    if (now() - task.arrival > scenario_.workload.deadline_of(task.task_class)) {
      meter_.late(task.counted);
      classes_.late(task.task_class, task.counted);
    }
  } else if (ending == TaskEnding::rejected) {
    meter_.rejected(now(), task.counted);
  } else if (ending == TaskEnding::gave_up) {
    meter_.gave_up(now(), task.arrival, task.counted);
  } else {
    meter_.lost(now(), task.counted);
  }
  if (users_ != nullptr) think();
}

void SimulatedFleet::on(const fleet_event::ViewRefresh&) {
  placement_.refresh();
  if (first_ != nullptr ? !over() : source_open_)
    emit_self(fleet_event::ViewRefresh{}, scenario_.dispatch.staleness);
}

}  // namespace artel::fleet::detail
