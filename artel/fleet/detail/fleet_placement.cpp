#include "artel/fleet/detail/fleet_placement.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/indexed_loads.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/fleet/detail/fleet_parts.hpp"
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

// Where loads are stale, a closed loop hears of them with the refresh and reckons with its period.
dispatch::Policy policy_for(const scenario::Scenario& scenario, const scenario::PolicySpec& spec) {
  auto policy = spec.policy;
  auto* loop = std::get_if<dispatch::ClosedLoop>(&policy);
  const auto staleness = scenario.dispatch.staleness;
  if (loop != nullptr && staleness > Duration::zero())
    loop->beacon_every = loop->publish_every = staleness;
  return policy;
}

// Of whom policies need not hear.
bool knows_idle(const scenario::Scenario& scenario, const scenario::PolicySpec& policy) {
  return scenario.pool.stealing != dispatch::Stealing::none ||
         policy.take_over.value_or(scenario.pool.take_over);
}

}  // namespace

template <class Parts>
FleetPlacement<Parts>::FleetPlacement(const scenario::Scenario& scenario,
                                      const scenario::PolicySpec& policy, std::uint32_t replication,
                                      TaskTable<TaskKind>& tasks, const sim::Context& clock)
    : scenario_(scenario),
      clock_(clock),
      tasks_(tasks),
      caches_(scenario),
      queue_bound_(policy.queue_bound),
      table_(policy_for(scenario, policy),
             {.min = 0, .max = static_cast<std::uint32_t>(scenario.pool.workers_max())},
             random::Stream(scenario.run.seed, "dispatcher", replication)(),
             knows_idle(scenario, policy)),
      hinted_(asks_about_tasks(table_.needs().inputs)),
      delays_(table_.needs().inputs.has(dispatch::PolicyInput::delay)),
      dispatchers_(scenario, replication, first_loads(), table_.needs()),
      held_(scenario.pool) {}

// Of the workers at the start, which join now.
template <class Parts>
const dispatch::IndexedLoads& FleetPlacement<Parts>::first_loads() {
  for (std::size_t w = 0; w < scenario_.pool.speeds.size(); ++w) {
    const auto id = join();
    ARTEL_REQUIRE(index(id) == w, "workers join in order", w);
  }
  return table_.loads();
}

// Workers that come later are like the first.
template <class Parts>
std::uint32_t FleetPlacement<Parts>::bound_of(WorkerId id) const {
  const auto& pool = scenario_.pool;
  const std::size_t like = index(id) < pool.speeds.size() ? index(id) : 0;
  return std::max(queue_bound_.value_or(pool.queue_bounds[like]), pool.worker.places());
}

template <class Parts>
WorkerId FleetPlacement<Parts>::join() {
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

template <class Parts>
void FleetPlacement<Parts>::shut(WorkerId id) {
  if (shut_[index(id)]++ == 0 && members().working(id)) table_.set_capacity(id, 0, clock_.now());
}

template <class Parts>
bool FleetPlacement<Parts>::reopen(WorkerId id) {
  if (--shut_[index(id)] > 0 || !members().working(id)) return false;
  table_.set_capacity(id, bound_of(id), clock_.now());
  return true;
}

// What each worker holds of the task's prefix, for policies that want to know.
template <class Parts>
std::span<const float> FleetPlacement<Parts>::matched_of(const TaskKind& task) {
  if constexpr (Parts::kPlain) {
    return {};
  } else {
    if (!caches_.any() || !table_.needs().inputs.has(dispatch::PolicyInput::matched)) return {};
    return caches_.matched(task.row);
  }
}

template <class Parts>
void FleetPlacement<Parts>::refresh() {
  table_.advance(clock_.now());
  dispatchers_.refresh(table_.loads(), clock_.now());
}

template class FleetPlacement<PlainParts>;
template class FleetPlacement<FleetParts>;

}  // namespace artel::fleet::detail
