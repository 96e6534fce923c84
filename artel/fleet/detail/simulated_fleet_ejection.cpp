// Which workers of a simulated fleet get no tasks although they are there.
#include "artel/core/id.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/outlier_ejection.hpp"
#include "artel/fleet/detail/simulated_fleet.hpp"

namespace artel::fleet::detail {

// Nobody sends it a task until every reason for that is gone; what it has it keeps.
void SimulatedFleet::shut(WorkerId id) {
  if (at(id).shut++ == 0 && table_.members().working(id)) table_.set_capacity(id, 0, now());
}

void SimulatedFleet::reopen(WorkerId id) {
  if (--at(id).shut > 0 || !table_.members().working(id)) return;
  table_.set_capacity(id, bound_of(id), now());
  bind_held_soon();
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

}  // namespace artel::fleet::detail
