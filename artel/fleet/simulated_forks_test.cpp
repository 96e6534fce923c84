#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/dispatch_settings.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::fleet {
namespace {

using namespace std::chrono_literals;

// Four parts of each task on 16 workers at load 0.8, 40 ms of work each.
scenario::Scenario forks() {
  return scenario::parse_scenario(R"(
[workload]
arrivals = { kind = "poisson", rate = 80 }
service = { distribution = "exponential", mean = 0.04 }
fork = 4
[pool]
workers = 16
[dispatch]
policies = ["random"]
[run]
tasks = 40000
)",
                                  "forks.toml")
      .value();
}

Replication run(const scenario::Scenario& scenario, const dispatch::Policy& policy) {
  scenario::PolicySpec spec;
  spec.policy = policy;
  auto found = run_replication(scenario, spec, {}).value_or(Replication{});
  found.events = 0;
  return found;
}

// A fleet of workers with a feature that changes nothing.
scenario::Scenario as_fleet(scenario::Scenario scenario) {
  scenario.pool.worker.start_up = scenario::StartUpSettings{};
  return scenario;
}

// Figures of a simulator that was written apart, in which the policy places each part.
TEST(SimulatedForks, EveryPartIsPlacedByThePolicy) {
  const auto least_loaded = run(forks(), dispatch::LeastLoaded{});
  EXPECT_NEAR(least_loaded.response.mean, 0.1245, 0.004);
  EXPECT_NEAR(least_loaded.response.p99, 0.355, 0.02);
  const auto jsq = run(forks(), dispatch::Jsq{.d = 2});
  EXPECT_NEAR(jsq.response.mean, 0.1748, 0.005);
  EXPECT_NEAR(jsq.response.p99, 0.452, 0.03);
}

TEST(SimulatedForks, PartsArePlacedAlikeInPoolsAndInFleets) {
  auto scenario = forks();
  scenario.run.tasks = 3000;
  const auto expect_same = [&](const std::string& what) {
    for (const auto& policy : std::vector<dispatch::Policy>{
             dispatch::LeastLoaded{}, dispatch::Jsq{.d = 2}, dispatch::RoundRobin{},
             dispatch::Jiq{}, dispatch::LeastWorkLeft{}})
      EXPECT_EQ(run(scenario, policy), run(as_fleet(scenario), policy))
          << what << ", " << dispatch::name(policy);
  };
  expect_same("one dispatcher");
  scenario.dispatch.dispatchers = 3;
  expect_same("several");
  scenario.dispatch.view = scenario::DispatcherView::own;
  expect_same("own views");
  scenario.dispatch.view = scenario::DispatcherView::shared;
  scenario.dispatch.staleness = 100ms;
  expect_same("stale");
}

TEST(SimulatedForks, MorePartsThanWorkersMeet) {
  auto scenario = forks();
  scenario.workload.fork = 6;
  scenario.workload.arrivals = scenario::ConstantArrivals{.rate = 1};
  scenario.workload.service = *random::Distribution::constant(0.1);
  scenario.pool.speeds.assign(4, 1.0);
  scenario.pool.queue_bounds.assign(4, dispatch::kUnbounded);
  for (const auto& one : {scenario, as_fleet(scenario)}) {
    const auto found = run(one, dispatch::LeastLoaded{});
    EXPECT_NEAR(found.response.mean, 0.2, 1e-9) << "two at two of the workers";
    EXPECT_NEAR(found.utilisation, 0.15, 1e-3);
  }
}

}  // namespace
}  // namespace artel::fleet
