// The callers of a simulated fleet: what they hear, and what they do then.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/fleet_callers.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/put_off.hpp"
#include "artel/fleet/detail/simulated_fleet.hpp"
#include "artel/scenario/caller_settings.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::fleet::detail {

// A user of closed arrivals asks some time from now.
void SimulatedFleet::think() {
  if (!source_open_) return;
  ++thinking_;
  emit_self(fleet_event::UserAsks{}, from_seconds(std::max(0.0, users_->think(thinks_))));
}

void SimulatedFleet::on(const fleet_event::UserAsks& event) {
  if (is_early(*this, event)) [[unlikely]] {
    put_off(*this, event);
    return;
  }
  --thinking_;
  if (!source_open_) return;
  const bool asked = source_.asked(now());
  if (asked) take_arrival();
  if (asked && source_.may_ask()) return;
  source_open_ = false;
  meter_.source_ended(now());
}

// What callers do makes news for others; it is told here, one after the other, and never while a
// worker is in the middle of something.
void SimulatedFleet::tell_callers() {
  if (first_ != nullptr) return first_->tell_callers();
  if (callers_.active() && handing_on_ == 0) callers_.hear_all();
}

void SimulatedFleet::bind_all_held() {
  bind_held();
  for (auto* stage : stages_.fleets()) stage->bind_held();
}

// The news of an attempt's end, for whoever waits for it.
void SimulatedFleet::tell_end(const FleetTask& attempt, TaskEnding ending) {
  if (attempt.request != FleetTask::kNobody) callers_.ended(attempt, ending);
}

// Whoever waited has told everybody so.
bool SimulatedFleet::nobody_hears(const FleetTask& attempt) const {
  return attempt.request == FleetTask::kNobody &&
         scenario_.workload.callers.cancel != scenario::Spared::nothing;
}

void SimulatedFleet::forget_caller(std::uint32_t id) {
  tasks_[id].request = FleetTask::kNobody;
  if (scenario_.workload.patience) cancel(tasks_[id].give_up);
}

void SimulatedFleet::answered_late(std::uint32_t id) {
  if (tasks_[id].where != FleetTask::Where::held) note_failure(tasks_[id].worker);
}

void SimulatedFleet::draw_again(FleetTask& task) {
  const auto drawn = source_.redraw(task.task_class);
  task.size = drawn.size;
  task.hint = drawn.hint;
}

std::uint32_t SimulatedFleet::new_attempt(const FleetTask& task) {
  meter_.attempted(task.counted);
  return new_task(task);
}

CallersHost::Choice SimulatedFleet::choose_for(const FleetTask& task,
                                               const std::vector<std::uint32_t>& open) {
  placement_.task_arrives();
  if (open.empty()) return {.worker = placement_.decide(task)};
  const auto chosen = placement_.decide_another(task, [&](WorkerId id) {
    return std::ranges::any_of(open, [&](std::uint32_t attempt) {
      return tasks_[attempt].where != FleetTask::Where::held && tasks_[attempt].worker == id;
    });
  });
  return {.possible = chosen.has_value(), .worker = chosen};
}

}  // namespace artel::fleet::detail
