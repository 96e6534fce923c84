// Policies that read latencies and keys, in every way that a fleet is simulated.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/dispatch_settings.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::fleet {
namespace {

using namespace std::chrono_literals;

scenario::Scenario exponential(double load, const std::vector<double>& speeds) {
  scenario::Scenario scenario;
  const auto workers = speeds.size();
  scenario.workload.arrivals =
      scenario::PoissonArrivals{.rate = load * static_cast<double>(workers)};
  scenario.workload.service = *random::Distribution::exponential(1);
  scenario.workload.mean_service_s = 1;
  scenario.pool.speeds = speeds;
  scenario.pool.queue_bounds.assign(workers, dispatch::kUnbounded);
  scenario.run.tasks = 5'000;
  return scenario;
}

Replication run_with(const scenario::Scenario& scenario, dispatch::Policy policy) {
  scenario::PolicySpec spec;
  spec.policy = std::move(policy);
  return run_replication(scenario, spec, {}).value_or(Replication{});
}

struct Host {
  std::string name;
  void (*change)(scenario::Scenario&);
};
std::vector<Host> hosts() {
  return {{"pool", [](scenario::Scenario&) {}},
          {"fleet",
           [](scenario::Scenario& scenario) {
             scenario.pool.worker.start_up = scenario::StartUpSettings{};
           }},
          {"own views",
           [](scenario::Scenario& scenario) {
             scenario.dispatch.dispatchers = 2;
             scenario.dispatch.view = scenario::DispatcherView::own;
           }},
          {"a fleet's own views",
           [](scenario::Scenario& scenario) {
             scenario.pool.worker.slots = 2;
             scenario.dispatch.dispatchers = 2;
             scenario.dispatch.view = scenario::DispatcherView::own;
           }},
          {"reported loads",
           [](scenario::Scenario& scenario) {
             scenario.dispatch.dispatchers = 2;
             scenario.dispatch.view = scenario::DispatcherView::reported;
             scenario.dispatch.staleness = 500ms;
           }},
          {"stale", [](scenario::Scenario& scenario) { scenario.dispatch.staleness = 500ms; }}};
}

TEST(SimulatedInputs, LatencyKeepsTasksFromAWorkerThatIsSlow) {
  for (const auto& host : hosts()) {
    auto scenario = exponential(0.3, {1, 1, 1, 0.1});
    host.change(scenario);
    // Longer than the answers take: else a slow worker's latency has faded before it answers again.
    const auto seen = run_with(scenario, dispatch::PeakEwma{.d = 2, .decay = 1000s, .initial = 1s});
    const auto blind = run_with(scenario, dispatch::Jsq{.d = 2});
    EXPECT_LT(seen.response.mean, blind.response.mean / 2) << host.name;
    EXPECT_GT(seen.completed, 0U) << host.name;
  }
}

TEST(SimulatedInputs, TheAgeOfTheLoadsIsTold) {
  for (const auto& host : hosts()) {
    auto scenario = exponential(0.5, {1, 1, 1, 1});
    host.change(scenario);
    const Duration staleness = scenario.dispatch.staleness;
    std::uint64_t decisions = 0;
    std::uint64_t wrong = 0;
    const dispatch::Custom policy{
        .function = [&](const dispatch::AnyLoads&,
                        const dispatch::Draw& draw) -> std::optional<WorkerId> {
          const Duration now = draw.now.time_since_epoch();
          ++decisions;
          wrong += draw.age == (staleness > 0s ? now % staleness : Duration{0s}) ? 0 : 1;
          return dispatch::worker(draw.turn % 4);
        },
        .reads = {{dispatch::PolicyInput::now, dispatch::PolicyInput::age}}};
    (void)run_with(scenario, policy);
    EXPECT_GT(decisions, 1000U) << host.name;
    EXPECT_EQ(wrong, 0U) << host.name;
  }
}

// One key makes one worker of all of them: M/M/1 at load 0.8.
TEST(SimulatedInputs, EqualKeysGoToTheSameWorker) {
  for (const auto& host : hosts()) {
    if (host.name == "a fleet's own views") continue;  // it has two slots
    auto scenario = exponential(0.2, {1, 1, 1, 1});
    host.change(scenario);
    for (const auto& policy :
         {dispatch::Policy{dispatch::Rendezvous{}}, {dispatch::Maglev{.places = 211}}}) {
      scenario.workload.keys.emplace(1, 0);
      EXPECT_NEAR(run_with(scenario, policy).wait_probability, 0.8, 0.05)
          << host.name << ' ' << dispatch::name(policy);
      scenario.workload.keys.emplace(1000, 0);
      EXPECT_NEAR(run_with(scenario, policy).wait_probability, 0.2, 0.05)
          << host.name << ' ' << dispatch::name(policy);
    }
  }
}

TEST(SimulatedInputs, ABoundSpreadsAPopularKey) {
  auto scenario = exponential(0.2, {1, 1, 1, 1});
  scenario.workload.keys.emplace(1, 0);
  const auto bounded = run_with(scenario, dispatch::Rendezvous{.bound = 1.25});
  const auto unbounded = run_with(scenario, dispatch::Rendezvous{});
  EXPECT_LT(bounded.response.mean, unbounded.response.mean / 2);
  const auto two = run_with(scenario, dispatch::Rendezvous{.subset = 2});
  EXPECT_LT(two.response.mean, unbounded.response.mean / 2);
  EXPECT_EQ(two.beyond[0] <= 0.5, true) << "two workers of four at most";
}

// With a view of its own, a dispatcher knows what it sent; the workers that it asks know of all.
TEST(SimulatedInputs, WorkersThatAreAskedTellAllTheirTasks) {
  for (const std::uint32_t slots : {1U, 2U}) {
    auto scenario = exponential(0.8, {1, 1, 1, 1, 2});
    scenario.pool.worker.slots = slots;
    scenario.dispatch.dispatchers = 4;
    const auto shared = run_with(scenario, dispatch::Prequal{.pool = 4});
    scenario.dispatch.view = scenario::DispatcherView::own;
    EXPECT_EQ(run_with(scenario, dispatch::Prequal{.pool = 4}), shared) << slots;
    scenario.dispatch.view = scenario::DispatcherView::shared;
    scenario.dispatch.staleness = 20s;
    const auto stale = run_with(scenario, dispatch::Prequal{.pool = 4});
    EXPECT_GT(stale.response.mean, 1.5 * shared.response.mean) << slots;
  }
}

// Twenty dispatchers, each of which asks three workers of twenty-five per task.
TEST(SimulatedInputs, AskingBeforehandIsWorthMoreThanChance) {
  auto scenario = exponential(0.8, std::vector<double>(25, 1));
  scenario.dispatch.dispatchers = 20;
  scenario.run.tasks = 20'000;
  const auto prequal = run_with(scenario, dispatch::Prequal{});
  EXPECT_LT(prequal.response.mean, run_with(scenario, dispatch::Random{}).response.mean / 1.5);
  EXPECT_LT(prequal.response.p99, run_with(scenario, dispatch::Random{}).response.p99 / 1.5);
}

TEST(SimulatedInputs, AFleetOfPlainWorkersIsAPool) {
  for (const auto& policy : {dispatch::Policy{dispatch::PeakEwma{}},
                             {dispatch::PeakEwma{.d = dispatch::Jsq::kAll}},
                             {dispatch::C3{.clients = 2}},
                             {dispatch::Jbt{.threshold = 3}},
                             {dispatch::Prequal{.pool = 3}},
                             {dispatch::Rendezvous{.bound = 1.25}},
                             {dispatch::Maglev{.places = 211}}}) {
    auto scenario = exponential(0.8, {1, 1, 1, 1, 1});
    scenario.workload.keys.emplace(50, 1);
    auto pool = run_with(scenario, policy);
    scenario.pool.worker.start_up = scenario::StartUpSettings{};
    auto fleet = run_with(scenario, policy);
    pool.events = fleet.events = 0;
    EXPECT_EQ(pool, fleet) << dispatch::name(policy);
  }
}

}  // namespace
}  // namespace artel::fleet
