#include "artel/fleet/detail/fleet_simulation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/arriving_tasks.hpp"
#include "artel/fleet/detail/class_meter.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_pool.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/put_off.hpp"
#include "artel/scenario/caller_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::fleet::detail {

FleetSimulation::FleetSimulation(const scenario::Scenario& scenario, std::uint32_t replication,
                                 FleetPool& pool, Meter& meter, ClassMeter& classes)
    : ArrivingTasks(scenario, replication, meter),
      scenario_(scenario),
      classes_(classes),
      grouped_(!scenario.workload.classes.empty() || !scenario.stages.empty()),
      users_(std::get_if<scenario::ClosedArrivals>(&scenario.workload.arrivals)),
      thinks_(scenario.run.seed, "thinks", replication),
      pool_(pool),
      stages_(scenario, replication, *this, handing_on_),
      callers_(scenario, replication, pool, stages_, meter, *this, *this) {
  pool.belongs_to(*this, source_);
}

void FleetSimulation::add_stage(FleetPool& pool, const scenario::Scenario& stage,
                                std::uint32_t replication) {
  pool.belongs_to(*this, stage_sources_.emplace_back(stage, replication));
  stages_.add(pool);
}

void FleetSimulation::open() {
  pool_.open_views();
  if (users_ != nullptr) {
    for (std::uint32_t user = 0; user < users_->users; ++user) think();
  } else {
    schedule_arrival();
  }
  stages_.open();
  pool_.open_workers();
}

// ---- Tasks that come

void FleetSimulation::take_arrival() {
  const auto& workload = scenario_.workload;
  const bool by_turn = pool_.expires_at_its_turn();
  FleetTask task;
  task.arrival = now();
  task.counted = meter_.arrived(now());
  if (!workload.classes.empty()) {
    task.task_class = source_.task_class();
    task.priority = workload.classes[task.task_class].priority;
    if (by_turn) task.priority = std::clamp(task.priority, -1, 1);
  }
  task.due = later(now(), workload.deadline_of(task.task_class));
  if (by_turn && workload.patience) task.expires = later(now(), source_.patience());
  if (grouped_) classes_.arrived(task.task_class, task.counted);
  pool_.scaling().arrived();
  if (!callers_.active()) pool_.placement().task_arrives();
  pool_.begin(task);
  settled();
}

// A user of closed arrivals asks some time from now.
void FleetSimulation::think() {
  if (!source_open_) return;
  ++thinking_;
  emit_self(fleet_event::UserAsks{}, from_seconds(std::max(0.0, users_->think(thinks_))));
}

void FleetSimulation::on(const fleet_event::UserAsks& event) {
  if (is_early(*this, event)) [[unlikely]] {
    put_off(*this, event);
    return;
  }
  --thinking_;
  if (!source_open_) return;
  const bool asked = source_.asked(now());
  if (asked) take_arrival();
  if (!asked || !source_.may_ask()) end_source();
}

// ---- What a pool asks

bool FleetSimulation::over(const FleetPool& pool) const {
  const bool first_is_over =
      !source_open_ && pool_.tasks() == 0 && callers_.open() == 0 && stages_.tasks() == 0;
  return first_is_over && pool.tasks() == 0;
}

bool FleetSimulation::more_come(const FleetPool& pool) const {
  return &pool == &pool_ ? source_open_ : !over(pool);
}

bool FleetSimulation::nobody_comes(const FleetPool& pool) const {
  return &pool == &pool_ && (!source_open_ || (users_ != nullptr && thinking_ == 0));
}

void FleetSimulation::comes(FleetPool& pool, const FleetTask& part) {
  const bool first = &pool == &pool_;
  if (first && callers_.active()) return callers_.ask(part);
  const auto chosen = pool.placement().decide(part);
  const auto id = pool.add(part);
  if (!first) stages_.parts_of(part.passing).push_back(id);
  pool.place(id, chosen);
}

// What callers do makes news for others; it is told here, one after the other, and never while a
// worker is in the middle of something.
void FleetSimulation::settled() {
  if (callers_.news() && handing_on_ == 0) callers_.hear_all();
}

void FleetSimulation::left(FleetPool& pool, std::uint32_t id, TaskEnding ending) {
  auto& task = pool.task(id);
  if (&pool != &pool_) std::erase(stages_.parts_of(task.passing), id);
  if (task.request == FleetTask::kNoRequest) {
    if (&pool == &pool_) return request_ended(task, ending);
    if (const auto end = pool.whole(task, ending))
      stages_.stage_ended(task.passing, now(), task.start, *end);
    return;
  }
  if (task.of_request()) callers_.left(task, id);
  if (stages_.any()) {
    note_stage(0, task, ending);
    if (ending == TaskEnding::served && !nobody_hears(task)) return pass_on(task);
  }
  tell_end(task, ending);
}

// ---- Tasks that have ended in a pool

// A request, or a task without callers; or a part of one.
void FleetSimulation::request_ended(FleetTask& task, TaskEnding part_ending) {
  const auto end = pool_.whole(task, part_ending);
  if (!end) return;
  const auto ending = *end;
  if (stages_.any() && !callers_.active()) {  // else each attempt of it went there
    note_stage(0, task, ending);
    if (ending == TaskEnding::served) return pass_on(task);
  }
  conclude(task, ending);
}

void FleetSimulation::pass_on(const FleetTask& task) {
  const auto number = stages_.open(task);
  if (task.of_request()) callers_.passes_on(task, number);
  stages_.go_on(number, now());
}

void FleetSimulation::been_through(std::uint32_t number, const FleetTask& task, TaskEnding ending) {
  if (task.request == FleetTask::kNoRequest) return conclude(task, ending);
  if (task.of_request()) callers_.been_through(task, number);
  tell_end(task, ending);
}

// Whoever waited has told everybody so.
bool FleetSimulation::nobody_hears(const FleetTask& attempt) const {
  return attempt.request == FleetTask::kNobody &&
         scenario_.workload.callers.cancel != scenario::Spared::nothing;
}

// The news of an attempt's end, for whoever waits for it.
void FleetSimulation::tell_end(const FleetTask& attempt, TaskEnding ending) {
  if (attempt.of_request()) callers_.ended(attempt, ending);
}

void FleetSimulation::note_stage(std::size_t stage, const FleetTask& task, TaskEnding ending) {
  const auto group = static_cast<std::uint32_t>(scenario_.workload.classes.size() + stage);
  classes_.arrived(group, task.counted);
  note_group(group, task, ending);
}

// What a class, or a stage, had of a task.
void FleetSimulation::note_group(std::uint32_t group, const FleetTask& task, TaskEnding ending) {
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

void FleetSimulation::conclude(const FleetTask& task, TaskEnding ending) {
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

}  // namespace artel::fleet::detail
