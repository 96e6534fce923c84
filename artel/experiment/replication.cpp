#include "artel/experiment/replication.hpp"
#include <cstdint>
#include <optional>
#include <variant>

#include "artel/dispatch/policy.hpp"
#include "artel/experiment/class_meter.hpp"
#include "artel/experiment/meter.hpp"
#include "artel/experiment/simulated_fleet.hpp"
#include "artel/experiment/simulated_pool.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/sim/kernel/simulation.hpp"

namespace artel::experiment {

namespace {

bool draws_start_ups(const scenario::PoolSettings& pool) {
  return pool.scaling && pool.scaling->start_up.scv() > 0;
}

}  // namespace

bool is_exact(const scenario::Scenario& scenario, const scenario::PolicySpec& policy) {
  const auto& workload = scenario.workload;
  const bool arrivals = std::holds_alternative<scenario::ConstantArrivals>(workload.arrivals) ||
                        std::holds_alternative<scenario::TraceArrivals>(workload.arrivals);
  const auto* drawn = std::get_if<random::Distribution>(&workload.service);
  const bool services = drawn == nullptr || drawn->scv() == 0;
  const bool plain =
      scenario.plain() || (!scenario.pool.worker.drawn() && workload.classes.size() < 2 &&
                           !workload.patience && !draws_start_ups(scenario.pool));
  const bool hints =
      workload.hint_error == 0 || (workload.trace != nullptr && !workload.trace->hints.empty());
  return arrivals && services && plain && hints && scenario.pool.wake_ups.size() <= 1 &&
         scenario.dispatch.dispatchers == 1 && !dispatch::needs(policy.policy).dice;
}

std::optional<Replication> run_replication(const scenario::Scenario& scenario,
                                           const scenario::PolicySpec& policy,
                                           const ReplicationOptions& options) {
  constexpr std::uint64_t kEventsBetweenLooks = 1U << 16U;  // at the stop token: some milliseconds
  Meter meter(options, scenario.pool.speeds.size(), scenario.pool.worker.slots);
  ClassMeter classes(scenario.workload.classes.size());
  sim::Simulation simulation({.seed = scenario.run.seed});
  if (scenario.plain()) {
    simulation.add<SimulatedPool>("pool", scenario, policy, options.index, meter).open();
  } else {
    simulation.add<SimulatedFleet>("fleet", scenario, policy, options.index, meter, classes).open();
  }
  while (simulation.steps(kEventsBetweenLooks) > 0) {
    if (options.stop.stop_requested()) return std::nullopt;
  }
  if (options.observation != nullptr) options.observation->ended(simulation.now());
  auto result = meter.result();
  result.index = options.index;
  result.classes = classes.result();
  if (options.class_times != nullptr) *options.class_times = classes.times();
  result.events = simulation.event_count();
  return result;
}

}  // namespace artel::experiment
