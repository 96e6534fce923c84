// What befalls the workers of a simulated fleet: failures, changes of speed, and being left out.
#include <cmath>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/experiment/detail/outlier_ejection.hpp"
#include "artel/experiment/detail/server.hpp"
#include "artel/experiment/simulated_fleet.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::experiment {

void SimulatedFleet::plan_failure(WorkerId id) {
  if (!scenario_.pool.worker.failures || over()) return;
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
  if (failures_.detection < kForever)
    emit_self(fleet_event::Detected{event.worker}, failures_.detection);
  const double down = -std::log1p(-at(event.worker).fate.uniform()) * to_seconds(failures_.mttr);
  at(event.worker).turn = emit_self(fleet_event::Repair{event.worker}, from_seconds(down));
}

void SimulatedFleet::on(const fleet_event::Repair& event) {
  auto& worker = at(event.worker);
  move_clock(worker);
  worker.up = true;
  settle(event.worker);
  if (failures_.detection < kForever)
    emit_self(fleet_event::Detected{event.worker}, failures_.detection);
  plan_failure(event.worker);
}

void SimulatedFleet::on(const fleet_event::Detected& event) {
  auto& worker = at(event.worker);
  if (worker.known_down == !worker.up) return;  // it broke and was repaired meanwhile
  worker.known_down = !worker.up;
  worker.known_down ? shut(event.worker) : reopen(event.worker);
}

// Each goes its own way through the speeds.
void SimulatedFleet::plan_speed(WorkerId id) {
  const auto& states = scenario_.pool.worker.speed_states;
  if (states.empty() || over()) return;
  auto& worker = at(id);
  const auto& state = states[worker.state];
  worker.state_speed = state.speed;
  const double lasts = -std::log1p(-worker.fate.uniform()) * to_seconds(state.mean_duration);
  worker.next_speed = emit_self(fleet_event::SpeedChange{id}, from_seconds(lasts));
}

void SimulatedFleet::on(const fleet_event::SpeedChange& event) {
  auto& worker = at(event.worker);
  move_clock(worker);
  worker.state = (worker.state + 1) % scenario_.pool.worker.speed_states.size();
  plan_speed(event.worker);
  settle(event.worker);
}

// Nobody sends it a task until every reason for that is gone; what it has it keeps.
void SimulatedFleet::shut(WorkerId id) {
  if (at(id).shut++ == 0 && table_.members().working(id)) table_.set_capacity(id, 0, now());
}

void SimulatedFleet::reopen(WorkerId id) {
  if (--at(id).shut > 0 || !table_.members().working(id)) return;
  table_.set_capacity(id, bound_of(id), now());
  bind_held();
  tell_callers();
}

// An attempt was lost there, or not answered in time.
void SimulatedFleet::note_failure(WorkerId id) {
  if (!ejection_) return;
  const auto time = ejection_->failed(id, table_.members().size());
  if (!time) return;
  shut(id);
  emit_self(fleet_event::Readmitted{id}, *time);
}

void SimulatedFleet::on(const fleet_event::Readmitted& event) {
  ejection_->returned(event.worker);
  reopen(event.worker);
}

}  // namespace artel::experiment
