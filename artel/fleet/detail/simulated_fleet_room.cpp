// Which tasks of a simulated fleet go to workers that have got room, and which workers get none.
#include <optional>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/outlier_ejection.hpp"
#include "artel/fleet/detail/simulated_fleet.hpp"
#include "artel/fleet/detail/worker_caches.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {

// Tasks of the common queue go to workers with room, all of them before callers hear of any.
void SimulatedFleet::bind_held() {
  if (!placement_.waits()) return;
  ++whole().handing_on_;
  while (const auto id = placement_.next_held()) {
    auto& task = tasks_[*id];
    if (admission_.drops(now(), now() - task.arrival, !placement_.waits())) {
      placement_.left(task, false);
      leave(*id, TaskEnding::rejected);
    } else {
      bind(*id, placement_.choose(task));
    }
  }
  --whole().handing_on_;
}

// Several workers may get room at one moment: the policy chooses among all of them.
void SimulatedFleet::bind_held_soon() {
  if (!placement_.waits() || std::exchange(looks_soon_, true)) return;
  emit_self(fleet_event::BindHeld{}, Duration::zero());
}

void SimulatedFleet::on(const fleet_event::BindHeld&) {
  looks_soon_ = false;
  bind_held();
  tell_callers();
}

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

// The task has come to its worker: it takes less time by what is there.
void SimulatedFleet::use_cache(FleetTask& task) {
  const auto use = caches_.use(task.worker, task.row);
  meter_.prefix(use.held, use.all, task.counted);
  (scenario_.workload.trace->joins.empty() ? task.size : task.join) -= use.saved;
}

}  // namespace artel::fleet::detail
