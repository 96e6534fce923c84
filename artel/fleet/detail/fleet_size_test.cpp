// Fleets whose size goes by a policy.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/replication_options.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"
#include "artel/scaling/scaling_policy.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::fleet::detail {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::Field;

constexpr std::uint64_t kRunTasks = 5'000;

// Exponential services of mean 1 s.
scenario::Scenario steady_load(double rate, std::size_t workers) {
  scenario::Scenario scenario;
  scenario.workload.arrivals = scenario::PoissonArrivals{.rate = rate};
  scenario.workload.rate = rate;
  scenario.workload.service = *random::Distribution::exponential(1);
  scenario.workload.mean_service_s = 1;
  scenario.pool.speeds.assign(workers, 1.0);
  scenario.pool.queue_bounds.assign(workers, 1);
  scenario.run.tasks = kRunTasks;
  return scenario;
}

using Rule = std::function<std::uint32_t(const scaling::FleetSample&)>;

scenario::Scenario scaled(scenario::Scenario scenario, scaling::ScalingPolicy policy,
                          dispatch::SizeLimits limits,
                          random::Distribution start_up = *random::Distribution::constant(0),
                          Duration metric_delay = {}) {
  scenario.pool.scaling = scenario::ScalingSettings{.policy = std::move(policy),
                                                    .limits = limits,
                                                    .start_up = std::move(start_up),
                                                    .metric_delay = metric_delay};
  return scenario;
}

random::Distribution seconds(double value) { return *random::Distribution::constant(value); }

Replication run_scaled(const scenario::Scenario& scenario,
                       dispatch::Policy policy = dispatch::Jsq{}) {
  scenario::PolicySpec spec;
  spec.policy = std::move(policy);
  return run_replication(scenario, spec, {}).value_or(Replication{});
}

scaling::CustomScaling rule(Rule rule) { return {.period = 10s, .rule = std::move(rule)}; }

TEST(FleetSimulationSize, APolicyThatKeepsTheSizeChangesNothing) {
  const auto still = steady_load(3, 5);
  auto fleet = still;
  fleet.pool.worker.start_up = scenario::StartUpSettings{};
  const auto expected = run_scaled(fleet);
  const auto found =
      run_scaled(scaled(still, rule([](const auto& sample) { return sample.workers; }), {1, 9}));
  EXPECT_EQ(found.response, expected.response);
  EXPECT_EQ(found.utilisation, expected.utilisation);
  EXPECT_EQ(found.workers, 5);
}

TEST(FleetSimulationSize, GrownAtOnceItIsALargerFleet) {
  auto large = steady_load(6, 8);
  large.run.tasks = 50'000;
  auto small = scaled(large, rule([](const auto&) { return 8U; }), {1, 9}, seconds(5));
  small.pool.speeds.resize(4);
  small.pool.queue_bounds.resize(4);
  large.pool.worker.start_up = scenario::StartUpSettings{};
  ReplicationOptions options{.warm_up_tasks = 10'000};
  scenario::PolicySpec spec;
  spec.policy = dispatch::LeastLoaded{};
  const auto grown = run_replication(small, spec, options).value_or(Replication{});
  const auto always = run_replication(large, spec, options).value_or(Replication{});
  EXPECT_EQ(grown.workers, 8);
  EXPECT_NEAR(grown.response.mean, always.response.mean, 0.05 * always.response.mean);
}

// 2 workers, tasks of 4 s at 1, 2, 3 … s; three of four looks are at 10, 20, 30 s.
TEST(FleetSimulationSize, ThePolicySeesWhatHappened) {
  auto scenario = steady_load(1, 2);
  scenario.workload.arrivals = scenario::ConstantArrivals{.rate = 1};
  scenario.workload.service = *random::Distribution::constant(4);
  scenario.run.tasks = 30;
  std::vector<scaling::FleetSample> seen;
  const auto found = run_scaled(scaled(scenario, rule([&](const scaling::FleetSample& sample) {
                                         seen.push_back(sample);
                                         return seen.size() < 2 ? 4U : 3U;
                                       }),
                                       {1, 9}, seconds(15)));
  ASSERT_GE(seen.size(), 3U);
  EXPECT_EQ(seen[0].at, Instant{10s});
  EXPECT_EQ(seen[0].workers, 2U);
  EXPECT_EQ(seen[0].ready, 2U);
  EXPECT_DOUBLE_EQ(seen[0].in_service, 1.7) << "from 1 s and from 2 s on";
  EXPECT_DOUBLE_EQ(seen[0].arrivals, 0.9) << "the tenth comes at that moment, after it";
  EXPECT_DOUBLE_EQ(seen[0].service_s, 4);
  EXPECT_EQ(seen[1].workers, 4U) << "two are on their way";
  EXPECT_EQ(seen[1].ready, 2U);
  EXPECT_EQ(seen[2].workers, 3U) << "one of them was sent away again";
  EXPECT_EQ(seen[2].ready, 3U) << "the other came at 25 s";
  EXPECT_EQ(found.completed, 30U);
}

TEST(FleetSimulationSize, WhoLeavesFinishesAndCostsUntilThen) {
  auto scenario = steady_load(1, 2);
  scenario.workload.arrivals = scenario::ConstantArrivals{.rate = 1};
  scenario.workload.service = *random::Distribution::constant(16);
  scenario.run.tasks = 21;
  // Both have begun; at 10 s one is to go, which ends its task at 18 s. The window is 1 s to 21 s.
  const auto found = run_scaled(scaled(scenario, rule([](const auto&) { return 1U; }), {1, 2}));
  EXPECT_EQ(found.completed, 21U);
  EXPECT_NEAR(found.workers, (17 * 2 + 3 * 1) / 20.0, 0.06);
}

TEST(FleetSimulationSize, OfNobodyTasksWaitForTheFirst) {
  auto scenario = steady_load(0.01, 1);
  scenario.run.tasks = 50;
  const auto found = run_scaled(
      scaled(scenario,
             scaling::Keda{.hpa = {.period = 5s, .metric = scaling::ScalingMetric::in_system},
                           .cooldown = 20s},
             {0, 4}, seconds(3)));
  EXPECT_EQ(found.completed, 50U);
  EXPECT_LT(found.workers, 0.7);
  EXPECT_GT(found.wait.max, 3) << "somebody came when there was nobody";
}

// Tasks that a policy leaves alone: 3 of less than the activation, at 1 s, 2 s, 3 s.
TEST(FleetSimulationSize, WhomThePolicyLeavesAloneIsServedAfterADay) {
  auto scenario = steady_load(1, 1);
  scenario.workload.arrivals = scenario::ConstantArrivals{.rate = 1};
  scenario.workload.service = *random::Distribution::constant(1);
  scenario.run.tasks = 3;
  scaling::Keda keda{.activation = 10};
  keda.hpa.period = keda.polling = 500ms;
  keda.cooldown = 500ms;
  const auto found = run_scaled(scaled(scenario, keda, {0, 4}, seconds(3)));
  EXPECT_EQ(found.completed, 3U);
  EXPECT_NEAR(found.wait.max, 24 * 3600.0, 10);
}

TEST(FleetSimulationSize, OfATimetableTheyWaitForTheMorning) {
  auto scenario = steady_load(1, 1);
  scenario.workload.arrivals = scenario::ConstantArrivals{.rate = 0.01};
  scenario.run.tasks = 8;
  const auto found = run_scaled(
      scaled(scenario, scaling::Timetable{.day = 48h, .entries = {{0s, 0}, {30h, 2}}}, {0, 4}));
  EXPECT_EQ(found.completed, 8U);
  EXPECT_NEAR(found.wait.max, 30 * 3600.0 - 100, 110);
}

TEST(FleetSimulationSize, UsersThatAllWaitAreNotLeftAlone) {
  auto scenario = steady_load(1, 1);
  scenario.workload.arrivals =
      scenario::ClosedArrivals{.users = 2, .think = *random::Distribution::constant(5)};
  scenario.run.tasks = 6;
  const auto found = run_scaled(scaled(scenario, rule([](const auto&) { return 0U; }), {0, 4}));
  EXPECT_EQ(found.completed, 6U);
}

// A worker at half its speed for the first 4 s: work of 2 s, and then a service of 5 s takes 7.
TEST(FleetSimulationSize, WhoIsNewIsSlowForAWhile) {
  auto scenario = steady_load(1, 1);
  scenario.workload.arrivals = scenario::ConstantArrivals{.rate = 0.02};
  scenario.workload.service = *random::Distribution::constant(5);
  scenario.run.tasks = 4;
  scenario.pool.worker.slow_start = scenario::SlowStart{.time = 4s, .speed = 0.5};
  scenario.pool.worker.start_up =
      scenario::StartUpSettings{.time = *random::Distribution::constant(1), .keep_warm = 10s};
  const auto cold = run_scaled(scenario);
  EXPECT_NEAR(cold.response.mean, 1 + 7, 1e-6) << "each comes 50 s after the one before";
  scenario.pool.worker.start_up->keep_warm = 60s;
  EXPECT_NEAR(run_scaled(scenario).response.mean, (8 + 3 * 5) / 4.0, 1e-6)
      << "warm but for the first";

  scenario.pool.worker.start_up.reset();
  const auto grown = run_scaled(scaled(
      scenario, scaling::Timetable{.period = 10s, .day = 100'000s, .entries = {{0s, 0}, {150s, 1}}},
      {0, 4}));
  // The first worker went at 10 s; those of 50, 100, 150 and 200 s meet a new one at 150 s.
  EXPECT_EQ(grown.completed, 4U);
  EXPECT_NEAR(grown.response.max, 100 + 7, 1e-6);
}

TEST(FleetSimulationSize, AnHpaKeepsItsTarget) {
  auto scenario = steady_load(40, 20);
  scenario.run.tasks = 100'000;
  const auto found =
      run_scaled(scaled(scenario, scaling::Hpa{.target = 0.8}, {1, 200}, seconds(20)));
  // It comes down only after five minutes in which nothing asked for more, so it is above what 0.8
  // needs by the noise of 20 looks.
  EXPECT_GT(found.utilisation, 0.6);
  EXPECT_LT(found.utilisation, 0.8);
}

TEST(FleetSimulationSize, AMetricThatComesLateIsLate) {
  const auto scenario = steady_load(4, 2);
  std::vector<double> at;
  run_scaled(scaled(scenario, rule([&](const scaling::FleetSample& sample) {
                      at.push_back(to_seconds(sample.at));
                      return 8U;
                    }),
                    {1, 9}, seconds(0), 4s));
  ASSERT_GE(at.size(), 2U);
  EXPECT_EQ(at[0], 14);
  EXPECT_EQ(at[1], 24);
}

// Sizes at random, workers that break, callers who leave: nobody is lost or counted twice.
TEST(FleetSimulationSize, EveryTaskEndsOnceWhateverComesAndGoes) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const auto discipline : {scenario::Discipline::fifo, scenario::Discipline::ps}) {
      auto scenario = steady_load(4, 3);
      scenario.run.seed = Seed{seed};
      scenario.pool.queue_bounds.assign(3, 4);
      scenario.workload.patience = *random::Distribution::exponential(20);
      scenario.pool.worker = {.discipline = discipline,
                              .failures = scenario::FailureSettings{.mtbf = 15s, .mttr = 4s},
                              .start_up = scenario::StartUpSettings{
                                  .time = *random::Distribution::exponential(1), .keep_warm = 1s}};
      random::Stream sizes(Seed{seed}, "sizes of the test");
      auto policy = rule([&](const auto&) { return static_cast<std::uint32_t>(sizes() % 8); });
      policy.period = 1s;
      scenario = scaled(scenario, policy, {0, 7}, *random::Distribution::exponential(2));
      const auto found = run_scaled(scenario, dispatch::Jsq{.d = 2});
      EXPECT_EQ(found.completed + found.rejected + found.abandoned, kRunTasks) << seed;
      EXPECT_GT(found.workers, 1) << seed;
      EXPECT_LT(found.workers, 8) << seed;
      EXPECT_LE(found.utilisation, 1) << seed;
    }
  }
}

}  // namespace
}  // namespace artel::fleet::detail
