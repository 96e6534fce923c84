#include "artel/fleet/run_replication.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <variant>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/fleet/detail/class_meter.hpp"
#include "artel/fleet/detail/fleet_pool.hpp"
#include "artel/fleet/detail/fleet_simulation.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/plain_fleet.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/replication_options.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/caller_settings.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/sim/kernel/simulation.hpp"

namespace artel::fleet {

namespace {

bool draws_start_ups(const scenario::PoolSettings& pool) {
  return pool.scaling && pool.scaling->start_up.scv() > 0;
}

bool draws(const scenario::CallerSettings& callers) {
  return (callers.timeout && callers.timeout->variance() > 0) ||
         callers.retry.jitter != scenario::Jitter::none;
}

// What the rows of a trace do not say.
bool draws_kinds(const scenario::Workload& workload) {
  const auto* rows = workload.trace.get();
  return (workload.classes.size() > 1 && (rows == nullptr || rows->classes.empty())) ||
         (workload.patience && (rows == nullptr || rows->patience.empty()));
}

// A stage as the scenario of its own pool: each call is a part of a task.
scenario::Scenario stage_of(const scenario::Scenario& scenario, std::size_t number) {
  const auto& stage = scenario.stages[number];
  scenario::Scenario result;
  result.workload.arrivals = scenario::PoissonArrivals{.rate = 1};  // it is not asked for any
  result.workload.service = stage.service;
  result.workload.mean_service_s = stage.service.mean();
  result.workload.fork = stage.calls;
  result.pool = stage.pool;
  result.dispatch = scenario.dispatch;
  result.run.seed = Seed{random::Stream(scenario.run.seed, "stages", number)()};
  return result;
}

}  // namespace

bool is_exact(const scenario::Scenario& scenario, const scenario::PolicySpec& policy) {
  const auto& workload = scenario.workload;
  const auto* drawn = std::get_if<random::Distribution>(&workload.service);
  const bool services = drawn == nullptr || drawn->scv() == 0;
  const bool plain =
      is_plain(scenario) || (!scenario.pool.worker.drawn() && !draws_kinds(workload) &&
                             !draws(workload.callers) && !draws_start_ups(scenario.pool));
  const bool hints =
      workload.hint_error == 0 || (workload.trace != nullptr && !workload.trace->hints.empty());
  return !scenario::drawn(workload.arrivals, workload.batch) && services && plain &&
         scenario.stages.empty() && hints && scenario.pool.wake_ups.size() <= 1 &&
         scenario.dispatch.dispatchers == 1 && !dispatch::needs(policy.policy).dice;
}

double expected_tasks(const scenario::Scenario& scenario) {
  double tasks = INFINITY;
  if (scenario.run.tasks) tasks = static_cast<double>(*scenario.run.tasks);
  if (scenario.run.duration) {
    tasks = std::min(tasks, scenario.workload.rate * to_seconds(*scenario.run.duration));
  }
  if (std::holds_alternative<scenario::TraceArrivals>(scenario.workload.arrivals)) {
    tasks = std::min(tasks, static_cast<double>(scenario.workload.trace->arrivals.size()));
  }
  ARTEL_REQUIRE(std::isfinite(tasks), "a validated scenario ends");
  return tasks;
}

std::optional<Replication> run_replication(const scenario::Scenario& scenario,
                                           const scenario::PolicySpec& policy,
                                           const ReplicationOptions& options) {
  constexpr std::uint64_t kEventsBetweenLooks = 1U << 16U;  // at the stop token: some milliseconds
  detail::Meter meter(options, scenario.pool.speeds.size(), scenario.pool.worker.slots);
  detail::ClassMeter classes(scenario.groups().size());
  // What the stages after the first keep to themselves: what is known of them is in `classes`.
  std::deque<scenario::Scenario> stages;
  const ReplicationOptions unwatched{};
  std::deque<detail::Meter> watches;
  sim::Simulation simulation({.seed = scenario.run.seed});
  if (detail::PlainFleet::is_plain(scenario, policy)) {
    simulation.add<detail::PlainFleet>("fleet", scenario, policy, options.index, meter).open();
  } else {
    auto& pool = simulation.add<detail::FleetPool>("pool", scenario, policy, options.index, meter);
    auto& fleet = simulation.add<detail::FleetSimulation>("fleet", scenario, options.index, pool,
                                                          meter, classes);
    for (std::size_t i = 0; i < scenario.stages.size(); ++i) {
      const auto& stage = stages.emplace_back(stage_of(scenario, i));
      auto& watch =
          watches.emplace_back(unwatched, stage.pool.speeds.size(), stage.pool.worker.slots);
      fleet.add_stage(simulation.add<detail::FleetPool>("stage " + scenario.stages[i].name, stage,
                                                        policy, options.index, watch),
                      stage, options.index);
    }
    fleet.open();
  }
  const double tasks = expected_tasks(scenario);
  while (simulation.steps(kEventsBetweenLooks) > 0) {
    if (options.stop.stop_requested()) return std::nullopt;
    if (options.progress)
      options.progress(std::min(1.0, static_cast<double>(meter.tasks()) / tasks));
  }
  if (options.observation != nullptr) options.observation->ended(simulation.now());
  auto result = meter.result();
  result.index = options.index;
  result.classes = classes.result();
  if (options.class_times != nullptr) *options.class_times = classes.times();
  result.events = simulation.event_count();
  return result;
}

}  // namespace artel::fleet
