// Which workers of a simulated fleet get no tasks although they are there.
#include "artel/core/id.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/outlier_ejection.hpp"
#include "artel/fleet/detail/simulated_fleet.hpp"

namespace artel::fleet::detail {

void SimulatedFleet::reopen(WorkerId id) {
  if (placement_.reopen(id)) bind_held_soon();
}

// An attempt was lost there, or not answered in time.
void SimulatedFleet::note_failure(WorkerId id) {
  if (!ejection_) return;
  const auto time = ejection_->failed(id, placement_.members().size());
  if (!time) return;
  shut(id);
  emit_self(fleet_event::Readmitted{id}, *time);
}

void SimulatedFleet::on(const fleet_event::Readmitted& event) {
  ejection_->returned(event.worker);
  reopen(event.worker);
}

}  // namespace artel::fleet::detail
