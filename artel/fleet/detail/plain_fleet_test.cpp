#include "artel/fleet/detail/plain_fleet.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "artel/core/id.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/fleet/detail/class_meter.hpp"
#include "artel/fleet/detail/fleet_pool.hpp"
#include "artel/fleet/detail/fleet_simulation.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/replication_options.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/sim/kernel/simulation.hpp"

namespace artel::fleet::detail {
namespace {

// `add` puts the fleet into the simulation, and returns it.
template <class Add>
Replication run(const scenario::Scenario& scenario, Add add) {
  const ReplicationOptions options{.warm_up_tasks = 100};
  Meter meter(options, scenario.pool.speeds.size());
  sim::Simulation simulation({.seed = scenario.run.seed});
  add(simulation, meter).open();
  simulation.run();
  auto result = meter.result();
  result.events = simulation.event_count();
  return result;
}

scenario::PolicySpec any_policy() {
  scenario::PolicySpec spec;
  spec.name = *rc::gen::element<std::string>("least_loaded", "jsq", "random", "round_robin", "jiq",
                                             "weighted_round_robin", "least_work_left",
                                             "closed_loop", "peak_ewma");
  spec.policy = dispatch::make_policy(spec.name).value();
  return spec;
}

// Queues, a policy and service; nothing else.
scenario::Scenario any_plain_scenario() {
  scenario::Scenario scenario;
  const auto workers = *rc::gen::inRange<std::size_t>(1, 100);
  auto& pool = scenario.pool;
  for (std::size_t w = 0; w < workers; ++w) {
    pool.speeds.push_back(*rc::gen::element(1.0, 1.0, 0.5, 3.0));
    pool.queue_bounds.push_back(*rc::gen::element(1U, 2U, 5U, dispatch::kUnbounded));
  }
  pool.common_bound = *rc::gen::element(0U, 2U, dispatch::kUnbounded);
  auto& workload = scenario.workload;
  workload.rate = *rc::gen::element(0.3, 0.9, 1.2) * static_cast<double>(workers);
  workload.arrivals = scenario::PoissonArrivals{workload.rate};
  workload.service =
      *rc::gen::element(*random::Distribution::exponential(1), *random::Distribution::constant(1));
  if (*rc::gen::arbitrary<bool>()) workload.batch = {1, 4};
  workload.hint_error = *rc::gen::element(0.0, 0.0, 0.5);
  scenario.run.tasks = 2000;
  scenario.run.seed = Seed{*rc::gen::arbitrary<std::uint64_t>()};
  return scenario;
}

RC_GTEST_PROP(PlainFleet, HasTheResultsOfAFleetThatMayHaveAll, ()) {
  const auto scenario = any_plain_scenario();
  const auto policy = any_policy();
  RC_ASSERT(PlainFleet::is_plain(scenario, policy));
  const auto plain = run(scenario, [&](sim::Simulation& simulation, Meter& meter) -> auto& {
    return simulation.add<PlainFleet>("fleet", scenario, policy, 0U, meter);
  });
  ClassMeter classes(0);
  const auto full = run(scenario, [&](sim::Simulation& simulation, Meter& meter) -> auto& {
    auto& pool = simulation.add<FleetPool>("pool", scenario, policy, 0U, meter);
    return simulation.add<FleetSimulation>("fleet", scenario, 0U, pool, meter, classes);
  });
  RC_ASSERT(plain == full);
}

}  // namespace
}  // namespace artel::fleet::detail
