#include "artel/fleet/detail/fleet_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/outlier_ejection.hpp"
#include "artel/fleet/detail/pulling_workers.hpp"
#include "artel/fleet/detail/put_off.hpp"
#include "artel/fleet/detail/task_path.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {

FleetPool::FleetPool(const scenario::Scenario& scenario, const scenario::PolicySpec& policy,
                     std::uint32_t replication, Meter& meter)
    : TaskPath(scenario, policy, replication, meter, static_cast<PullHost&>(*this)),
      one_by_one_(scenario.pool.worker.one_by_one()),
      shows_tasks_(is_of_threads(scenario)),
      rows_wait_(scenario.workload.trace && !scenario.workload.trace->patience.empty()),
      workers_(scenario, replication, *this),
      cold_starts_(scenario, workers_, *this),
      outages_(scenario, workers_, *this, *this),
      size_(scenario, replication, *this, meter, *this) {
  if (const auto& ejection = scenario.dispatch.ejection)
    ejection_ = std::make_unique<OutlierEjection>(*ejection);
  for (std::size_t w = 0; w < scenario.pool.speeds.size(); ++w) {
    workers_.add();
    empty_cache(dispatch::worker(w));
  }
}

void FleetPool::open_views() {
  open_beacons();
  if (placement_.stale()) on(fleet_event::ViewRefresh{});
}

void FleetPool::open_workers() {
  outages_.open();
  size_.open();
}

void FleetPool::on(const fleet_event::ViewRefresh&) {
  placement_.refresh();
  if (beacons_.active()) beacons_.refresh(placement_.snapshot(), now());
  if (more_come()) emit_self(fleet_event::ViewRefresh{}, scenario_.dispatch.staleness);
}

// ---- Tasks that come

void FleetPool::begin(FleetTask& task) {
  const auto parts = scenario_.workload.fork;
  if (parts > 1) task.forked = forked_tasks_.open(parts);
  if (task.key == 0) task.key = source_->key();
  task.join = source_->join();
  if (placement_.caches().any() || rows_wait_) task.row = source_->row();
  for (std::uint32_t i = 0; i < parts; ++i) {
    task.size = source_->size(task.task_class);
    task.hint = source_->hint(task.size);
    owner_->comes(*this, task);
  }
}

std::optional<TaskEnding> FleetPool::whole(FleetTask& part, TaskEnding ending) {
  if (part.forked == ForkedTasks::kNotForked) return ending;
  const bool lost = ending == TaskEnding::lost || ending == TaskEnding::gave_up;
  const auto end = forked_tasks_.ended(
      part.forked, {.start = part.start, .rejected = ending == TaskEnding::rejected, .lost = lost});
  if (!end) return std::nullopt;
  part.start = end->start;
  if (end->rejected) return TaskEnding::rejected;
  return end->lost && ending != TaskEnding::gave_up ? TaskEnding::lost : ending;
}

std::uint32_t FleetPool::add(const FleetTask& part) {
  size_.entered();
  const auto id = tasks_.add(part);
  if (recorder_.active()) recorder_.came(tasks_[id], placement_.held().size());
  return id;
}

// It waits for as long as its patience lasts; what pulling workers take, until its turn.
void FleetPool::let_in(std::uint32_t id) {
  if (!scenario_.workload.patience || pulling_.steal()) return;
  const auto patience = source_->patience(tasks_[id].row);
  if (patience < kForever) tasks_[id].give_up = emit_self(fleet_event::GiveUp{id}, patience);
}

bool FleetPool::travels(std::uint32_t id) {
  auto& task = tasks_[id];
  const auto reaches = task.arrival + scenario_.dispatch.network_delay;
  if (reaches <= now()) return false;
  task.where = FleetTask::Where::travelling;
  task.reach = emit_self(fleet_event::Reach{id}, reaches - now());
  return true;
}

void FleetPool::on(const fleet_event::Reach& event) {
  auto& task = tasks_[event.task];
  task.where = FleetTask::Where::at_worker;
  const bool lost = outages_.answers_errors(task.worker);
  enter(event.task);
  if (!lost) return;
  bind_held();
  owner_->settled();
}

void FleetPool::enter(std::uint32_t id) {
  if (outages_.answers_errors(tasks_[id].worker)) return leave(id, TaskEnding::lost);
  pulling_.active() ? pulling_.came(id) : serve(id);
}

// The task takes less time by what is in its worker's cache.
void FleetPool::use_cache(FleetTask& task) {
  const auto use = placement_.caches().use(task.worker, task.row);
  meter_.prefix(use.held, use.all, task.counted);
  (scenario_.workload.trace->joins.empty() ? task.size : task.join) -= use.saved;
}

// ---- Tasks that leave

void FleetPool::on(const fleet_event::GiveUp& event) {
  if (is_early(*this, event)) {
    tasks_[event.task].give_up = put_off(*this, event);
    return;
  }
  if (!take_back(event.task, false)) return;
  leave(event.task, TaskEnding::gave_up);
  bind_held();
  owner_->settled();
}

bool FleetPool::take_back(std::uint32_t id, bool in_service) {
  const auto task = tasks_[id];
  switch (task.where) {
    case FleetTask::Where::held:
      placement_.held().remove(id);
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

void FleetPool::leaves(const FleetTask& task, TaskEnding ending) {
  const bool served = ending == TaskEnding::served;
  if (ending != TaskEnding::rejected)
    admission_.left(now(), now() - task.arrival, tasks_.size() + 1, served);
  size_.left(served ? std::optional(task.size) : std::nullopt);
  if (scenario_.workload.patience) cancel(task.give_up);
  if (recorder_.active()) recorder_.left(task, ending);
}

void FleetPool::left(std::uint32_t id, TaskEnding ending) {
  const auto& task = tasks_[id];
  const bool was_bound = ending != TaskEnding::rejected && task.where != FleetTask::Where::held;
  if (was_bound && size_.scales()) retire_if_gone(task.worker);
  if (ejection_ && task.request != FleetTask::kNobody) {  // else it has failed already
    if (ending == TaskEnding::lost) note_failure(task.worker);
    if (ending == TaskEnding::served) ejection_->succeeded(task.worker);
  }
  owner_->left(*this, id, ending);
}

void FleetPool::forget_caller(std::uint32_t id) {
  tasks_[id].request = FleetTask::kNobody;
  if (scenario_.workload.patience) cancel(tasks_[id].give_up);
}

void FleetPool::answered_late(std::uint32_t id) {
  if (tasks_[id].where != FleetTask::Where::held) note_failure(tasks_[id].worker);
}

// ---- Which workers get none, and who comes and goes

// Several workers may get room at one moment: the policy chooses among all of them.
void FleetPool::bind_held_soon() {
  if (placement_.held().empty() || std::exchange(looks_soon_, true)) return;
  emit_self(fleet_event::BindHeld{}, Duration::zero());
}

void FleetPool::on(const fleet_event::BindHeld&) {
  looks_soon_ = false;
  bind_held();
  owner_->settled();
}

void FleetPool::reopen(WorkerId id) {
  if (placement_.reopen(id)) bind_held_soon();
}

// An attempt was lost there, or not answered in time.
void FleetPool::note_failure(WorkerId id) {
  if (!ejection_) return;
  const auto time = ejection_->failed(id, placement_.members().size());
  if (!time) return;
  shut(id);
  emit_self(fleet_event::Readmitted{id}, *time);
}

void FleetPool::on(const fleet_event::Readmitted& event) {
  ejection_->returned(event.worker);
  reopen(event.worker);
}

void FleetPool::join() {
  const auto id = placement_.join();
  if (index(id) == workers_.size()) workers_.add();
  empty_cache(id);
  if (beacons_.active()) beacons_.join(id);
  at(id).since = now();
  note_idle(id);
  outages_.joined(id);
  if (!pulling_.active()) return bind_held_soon();
  pulling_.join(id);
  bind_held();
  pulling_.opened(id);
}

// The worker with the fewest tasks, the last of several; of threads the last one.
void FleetPool::send_away() {
  std::optional<WorkerId> least;
  for (std::size_t w = 0; w < workers_.size(); ++w) {
    const auto id = dispatch::worker(w);
    if (!placement_.members().working(id)) continue;
    if (!least || pulling_.steal() || at(id).bound <= at(*least).bound) least = id;
  }
  ARTEL_REQUIRE(least.has_value(), "a fleet that is too large has a worker");
  placement_.expel(*least);
  retire_if_gone(*least);
  if (pulling_.steal()) bind_held();
}

void FleetPool::retire_if_gone(WorkerId id) {
  if (placement_.members().working(id) || placement_.members().leaving(id)) return;
  cold_starts_.retired(id);
  outages_.retired(id);
  meter_.resized(now(), -1);
}

}  // namespace artel::fleet::detail
