#include "artel/fleet/detail/fleet_placement.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/indexed_loads.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/placement.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/fleet/detail/fleet_admission.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/simulated_dispatchers.hpp"
#include "artel/fleet/detail/worker_caches.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/sim/kernel/context.hpp"

namespace artel::fleet::detail {
namespace {

// More than their size.
bool asks_about_tasks(dispatch::PolicyInputs inputs) {
  using enum dispatch::PolicyInput;
  return inputs.has(key) || inputs.has(task_class) || inputs.has(deadline);
}

}  // namespace

FleetPlacement::FleetPlacement(const scenario::Scenario& scenario,
                               const scenario::PolicySpec& policy, std::uint32_t replication,
                               WorkerCaches& caches, const sim::Context& clock)
    : scenario_(scenario),
      clock_(clock),
      caches_(caches),
      queue_bound_(policy.queue_bound),
      table_(policy.policy,
             {.min = 0, .max = static_cast<std::uint32_t>(scenario.pool.workers_max())},
             random::Stream(scenario.run.seed, "dispatcher", replication)()),
      hinted_(asks_about_tasks(table_.needs().inputs)),
      delays_(table_.needs().inputs.has(dispatch::PolicyInput::delay)),
      dispatchers_(scenario, replication, first_loads(), table_.needs()),
      held_(scenario.pool.worker.discipline) {
  ARTEL_REQUIRE(table_.closed_loop() == nullptr, "a fleet knows no beacons");
}

// Of the workers at the start, which join now.
const dispatch::IndexedLoads& FleetPlacement::first_loads() {
  for (std::size_t w = 0; w < scenario_.pool.speeds.size(); ++w) {
    const auto id = join();
    ARTEL_REQUIRE(index(id) == w, "workers join in order", w);
  }
  return table_.loads();
}

// Workers that come later are like the first.
std::uint32_t FleetPlacement::bound_of(WorkerId id) const {
  const auto& pool = scenario_.pool;
  const std::size_t like = index(id) < pool.speeds.size() ? index(id) : 0;
  return std::max(queue_bound_.value_or(pool.queue_bounds[like]), pool.worker.places());
}

WorkerId FleetPlacement::join() {
  const auto& pool = scenario_.pool;
  const std::size_t like = members().size() < pool.speeds.size() ? members().size() : 0;
  const auto joined = table_.join({.capacity = bound_of(dispatch::worker(like)),
                                   .weight = static_cast<float>(pool.speeds[like])},
                                  clock_.now());
  ARTEL_REQUIRE(joined, "the fleet stays within its limits");
  if (shut_.size() <= index(*joined)) shut_.resize(index(*joined) + 1);
  shut_[index(*joined)] = 0;
  return *joined;
}

void FleetPlacement::shut(WorkerId id) {
  if (shut_[index(id)]++ == 0 && members().working(id)) table_.set_capacity(id, 0, clock_.now());
}

bool FleetPlacement::reopen(WorkerId id) {
  if (--shut_[index(id)] > 0 || !members().working(id)) return false;
  table_.set_capacity(id, bound_of(id), clock_.now());
  return true;
}

// What each worker holds of the task's prefix, for policies that want to know.
std::span<const float> FleetPlacement::matched_of(const FleetTask& task) {
  if (!caches_.any() || !table_.needs().inputs.has(dispatch::PolicyInput::matched)) return {};
  return caches_.matched(task.row);
}

dispatch::Placement FleetPlacement::place(FleetTask& task, std::optional<WorkerId> chosen,
                                          const FleetAdmission& admission) {
  using Kind = dispatch::Placement::Kind;
  table_.advance(clock_.now());
  const bool fits = chosen && table_.loads().load(*chosen).room() > 0;
  dispatch::Placement placement{.kind = Kind::rejected};
  if (fits || table_.open()) {
    placement = {.kind = Kind::assigned, .worker = fits ? *chosen : choose(task)};
  } else if (admission.may_wait(held_.size())) {
    placement.kind = Kind::held;
  }
  if (dispatchers_.own_views()) {
    task.note = dispatchers_.open_note();
    dispatchers_.note(task.note, placement, task.hint, clock_.now());
  }
  return placement;
}

void FleetPlacement::refresh() {
  table_.advance(clock_.now());
  dispatchers_.refresh(table_.loads(), clock_.now());
}

}  // namespace artel::fleet::detail
