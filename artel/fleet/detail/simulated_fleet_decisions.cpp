// What a simulated fleet's dispatchers know of a task as they decide, what its workers keep of it.
#include <optional>
#include <span>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/simulated_fleet.hpp"
#include "artel/fleet/detail/worker_caches.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload_trace.hpp"

namespace artel::fleet::detail {

dispatch::TaskHints SimulatedFleet::hints_of(const FleetTask& task) const {
  dispatch::TaskHints hints = task.hint;
  if (!hinted_) return hints;
  hints.key = task.key;
  hints.task_class = task.task_class == FleetTask::kNoClass ? 0 : task.task_class;
  hints.deadline = task.due;
  return hints;
}

// Somebody has room.
WorkerId SimulatedFleet::choose(const FleetTask& task) {
  auto draw = table_.draw(hints_of(task));
  if (caches_.any()) draw.matched = matched_of(task);
  const auto chosen = table_.choose(draw);
  ARTEL_REQUIRE(chosen.has_value(), "a policy names a worker when one has room");
  return *chosen;
}

// Who waits in the common queue goes to workers with room, all of them before callers hear of any.
void SimulatedFleet::bind_held() {
  if (held_.empty()) return;
  table_.advance(now());
  ++whole().handing_on_;
  while (!held_.empty() && table_.open()) {
    const auto id = held_.pop().job.id;
    if (admission_.drops(now(), now() - tasks_[id].arrival, held_.empty())) {
      dispatchers_.note_done(tasks_[id].note, now(), false);
      leave(id, TaskEnding::rejected);
    } else {
      bind(id, choose(tasks_[id]));
    }
  }
  --whole().handing_on_;
}

// Several workers may get room at one moment: who waits goes to whom the policy names among all of
// them.
void SimulatedFleet::bind_held_soon() {
  if (held_.empty() || std::exchange(looks_soon_, true)) return;
  emit_self(fleet_event::BindHeld{}, Duration::zero());
}

void SimulatedFleet::on(const fleet_event::BindHeld&) {
  looks_soon_ = false;
  bind_held();
  tell_callers();
}

// What each worker holds of the task's prefix, for policies that want to know.
std::span<const float> SimulatedFleet::matched_of(const FleetTask& task) {
  if (!caches_.any() || !table_.needs().inputs.has(dispatch::PolicyInput::matched)) return {};
  return caches_.matched(task.row);
}

// Nothing where the table decides when the task is placed, or if the dispatcher knows none with
// room.
std::optional<WorkerId> SimulatedFleet::dispatcher_decides(const FleetTask& task) {
  if (dispatchers_.all_knowing()) return std::nullopt;
  return dispatchers_.decide(table_.chooser(), table_.loads(), hints_of(task), now(),
                             matched_of(task));
}

// The task has come to its worker: it takes less time by what is there.
void SimulatedFleet::use_cache(FleetTask& task) {
  const auto use = caches_.use(task.worker, task.row);
  meter_.prefix(use.held, use.all, task.counted);
  (scenario_.workload.trace->joins.empty() ? task.size : task.join) -= use.saved;
}

}  // namespace artel::fleet::detail
