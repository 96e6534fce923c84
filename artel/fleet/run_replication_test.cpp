#include "artel/fleet/run_replication.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/dispatch_settings.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"
#include "tests/scenario/timed_tasks.hpp"

namespace artel::fleet {
namespace {

using namespace std::chrono_literals;

// Tasks of the given sizes, one every `gap`.
scenario::Scenario tasks(std::vector<Duration> sizes, Duration gap, std::vector<double> speeds,
                         std::uint32_t queue_bound) {
  scenario::Scenario scenario;
  come_every(gap, std::move(sizes), scenario.workload);
  scenario.pool.queue_bounds.assign(speeds.size(), queue_bound);
  scenario.pool.speeds = std::move(speeds);
  return scenario;
}

// Exponential services of mean 1 s.
scenario::Scenario open_load(double rate, std::size_t workers) {
  scenario::Scenario scenario;
  scenario.workload.arrivals = scenario::PoissonArrivals{.rate = rate};
  scenario.workload.service = *random::Distribution::exponential(1);
  scenario.pool.speeds.assign(workers, 1.0);
  scenario.pool.queue_bounds.assign(workers, dispatch::kUnbounded);
  return scenario;
}

scenario::PolicySpec round_robin() {
  scenario::PolicySpec spec;
  spec.policy = dispatch::RoundRobin{};
  return spec;
}

Replication run(const scenario::Scenario& scenario,
                const scenario::PolicySpec& policy = round_robin()) {
  return run_replication(scenario, policy, {}).value_or(Replication{});
}

TEST(Replication, OneWorkerServesInOrder) {
  const auto result = run(tasks({4s, 2s, 1s}, 1s, {1.0}, dispatch::kUnbounded));
  EXPECT_EQ(result.completed, 3U);
  EXPECT_DOUBLE_EQ(result.response.max, 5);  // came at 1 or 2, done at 6 or 7
  EXPECT_DOUBLE_EQ(result.response.mean, (4.0 + 5 + 5) / 3);
  EXPECT_DOUBLE_EQ(result.wait.mean, (0.0 + 3 + 4) / 3);
  EXPECT_DOUBLE_EQ(result.wait_probability, 2.0 / 3);
}

TEST(Replication, SpeedDividesTheServiceTime) {
  EXPECT_DOUBLE_EQ(run(tasks({4s}, 1s, {0.5}, 1)).response.mean, 8);
  EXPECT_DOUBLE_EQ(run(tasks({4s}, 1s, {4.0}, 1)).response.mean, 1);
}

TEST(Replication, FullQueuesRejectWhenTheCommonQueueIsFull) {
  auto scenario = tasks({10s, 10s, 10s, 10s}, 1s, {1.0}, 1);
  scenario.pool.common_bound = 1;
  const auto result = run(scenario);
  EXPECT_EQ(result.completed, 2U);
  EXPECT_EQ(result.rejected, 2U);
  EXPECT_DOUBLE_EQ(result.rejected_share, 0.5);
}

TEST(Replication, BlockedSourceLosesNothingAndCountsTheWait) {
  auto scenario = tasks({10s, 10s, 10s}, 1s, {1.0}, 1);
  scenario.pool.common_bound = 1;
  scenario.pool.when_full = dispatch::WhenFull::block;
  const auto result = run(scenario);
  EXPECT_EQ(result.completed, 3U);
  EXPECT_DOUBLE_EQ(result.response.max, 28);  // came at 2, done at 30
}

TEST(Replication, NetworkDelayComesBeforeEveryService) {
  auto scenario = tasks({1s, 1s}, 0s, {1.0}, dispatch::kUnbounded);
  scenario.dispatch.network_delay = 100ms;
  const auto result = run(scenario);
  EXPECT_DOUBLE_EQ(result.response.max,
                   2.1);  // the second was on its way while the first was served
  EXPECT_DOUBLE_EQ(result.wait.mean, (0.1 + 1.1) / 2);
}

TEST(Replication, TakeOverLetsNoTaskWaitBesideAnIdleWorker) {
  auto policy = round_robin();
  auto scenario = tasks({10s, 1s, 1s}, 0s, {1.0, 1.0}, dispatch::kUnbounded);
  EXPECT_DOUBLE_EQ(run(scenario, policy).response.mean, (10.0 + 1 + 11) / 3);
  policy.take_over = true;
  EXPECT_DOUBLE_EQ(run(scenario, policy).response.mean, (10.0 + 1 + 2) / 3);
}

TEST(Replication, ForkedTaskEndsWithItsLastPart) {
  auto scenario = tasks({3s}, 1s, {1.0, 0.5}, dispatch::kUnbounded);
  scenario.workload.fork = 2;
  const auto result = run(scenario);
  EXPECT_EQ(result.completed, 1U);
  EXPECT_DOUBLE_EQ(result.response.mean, 6);  // the slower worker's part
}

TEST(Replication, StaleLoadsAreThoseOfTheLastRefresh) {
  // Least loaded sees two empty workers until the refresh at 10 s and sends everything to the
  // first.
  auto scenario = tasks({5s, 5s, 5s}, 1s, {1.0, 1.0}, dispatch::kUnbounded);
  scenario::PolicySpec policy;
  policy.policy = dispatch::LeastLoaded{};
  scenario.dispatch.staleness = 10s;
  EXPECT_DOUBLE_EQ(run(scenario, policy).response.max, 13);
  scenario.dispatch.staleness = 0s;
  EXPECT_DOUBLE_EQ(run(scenario, policy).response.max, 8);
}

// Ten workers at load 0.8. Each dispatcher goes round them from a place of its own, and a task
// comes to any of the dispatchers: simulated apart from artel, the mean response is 2.93, 3.40
// and 4.04.
TEST(Replication, EveryDispatcherGoesRoundByItself) {
  for (const auto& [dispatchers, expected] :
       std::map<std::uint32_t, double>{{1, 2.93}, {10, 3.40}, {50, 4.04}}) {
    auto scenario = open_load(8, 10);
    scenario.run.tasks = 400'000;
    scenario.dispatch.dispatchers = dispatchers;
    EXPECT_NEAR(run(scenario).response.mean, expected, 0.06 * expected) << dispatchers;
  }
}

// Whoever knows only what he sent himself: each of many does no better than going to the one with
// fewest of his own; alone, he knows all.
TEST(Replication, ADispatcherMaySeeOnlyWhatItSent) {
  auto scenario = open_load(8, 10);
  scenario.run.tasks = 100'000;
  scenario::PolicySpec least;
  least.policy = dispatch::LeastLoaded{};
  const auto alone = run(scenario, least);
  scenario.dispatch.view = scenario::DispatcherView::own;
  const auto alone_own = run(scenario, least);
  EXPECT_EQ(alone_own.response, alone.response);
  scenario.dispatch.dispatchers = 20;
  const auto own = run(scenario, least);
  scenario.dispatch.view = scenario::DispatcherView::shared;
  const auto shared = run(scenario, least);
  EXPECT_EQ(shared.response, alone.response);  // least loaded has no turns and throws no dice
  EXPECT_GT(own.response.mean, 1.5 * shared.response.mean);
  EXPECT_EQ(own.completed, shared.completed);
}

// Reports of all loads and one's own tasks since: alone that is everything, among others more than
// either.
TEST(Replication, ADispatcherMayAddWhatItSentToWhatWasReported) {
  auto scenario = open_load(8, 10);
  scenario.run.tasks = 100'000;
  scenario::PolicySpec least;
  least.policy = dispatch::LeastLoaded{};
  const auto alone = run(scenario, least);
  scenario.dispatch.staleness = 2s;
  scenario.dispatch.view = scenario::DispatcherView::reported;
  EXPECT_EQ(run(scenario, least).response, alone.response);
  const auto with = [&](scenario::DispatcherView view) {
    scenario.dispatch.dispatchers = 5;
    scenario.dispatch.view = view;
    scenario.dispatch.staleness = view == scenario::DispatcherView::own ? 0s : 2s;
    return run(scenario, least).response.mean;
  };
  const auto reported = with(scenario::DispatcherView::reported);
  EXPECT_LT(reported, 0.8 * with(scenario::DispatcherView::shared));
  EXPECT_LT(reported, 0.95 * with(scenario::DispatcherView::own));
}

// Own counts come back to nothing: on one worker after the other is as it was before.
TEST(Replication, OwnCountsEndWithTheTasks) {
  auto scenario = tasks(std::vector<Duration>(6, 1s), 10s, {1.0, 1.0}, 1);
  scenario.dispatch.view = scenario::DispatcherView::own;
  scenario.dispatch.dispatchers = 2;
  scenario::PolicySpec least;
  least.policy = dispatch::LeastLoaded{};
  EXPECT_DOUBLE_EQ(run(scenario, least).response.max, 1);
}

TEST(Replication, IsExactIfNothingIsDrawn) {
  const auto exact = tasks({1s, 2s}, 1s, {1.0, 1.0}, dispatch::kUnbounded);
  EXPECT_TRUE(is_exact(exact, round_robin()));
  scenario::PolicySpec dice;
  dice.policy = dispatch::Random{};
  EXPECT_FALSE(is_exact(exact, dice));
  auto scenario = exact;
  scenario.dispatch.dispatchers = 2;
  EXPECT_FALSE(is_exact(scenario, round_robin()));
  scenario = exact;
  scenario.workload.service = *random::Distribution::exponential(1);
  EXPECT_FALSE(is_exact(scenario, round_robin()));
  scenario.workload.service = *random::Distribution::constant(1);
  EXPECT_TRUE(is_exact(scenario, round_robin()));
  scenario.workload.hint_error = 0.5;
  EXPECT_FALSE(is_exact(scenario, round_robin()));
  EXPECT_FALSE(is_exact(open_load(1, 2), round_robin()));
  scenario = exact;
  scenario.pool.wake_ups = {1us, 2us};
  EXPECT_FALSE(is_exact(scenario, round_robin()));
}

TEST(Replication, StopsWhenAsked) {
  auto scenario = tasks(std::vector<Duration>(100'000, 1s), 1s, {1.0}, dispatch::kUnbounded);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(run_replication(scenario, round_robin(), {.stop = stop.get_token()}), std::nullopt);
}

TEST(Replication, SizesAreTheSameUnderEveryPolicy) {
  auto scenario = open_load(1, 4);
  scenario.workload.service = *random::Distribution::exponential(0.001);  // nobody ever waits long
  scenario.run.tasks = 1000;
  scenario::PolicySpec random_split;
  random_split.policy = dispatch::Random{};
  const auto one = run(scenario, random_split);
  const auto other = run(scenario);
  EXPECT_NEAR(one.response.mean - one.wait.mean, other.response.mean - other.wait.mean, 1e-12);
}

}  // namespace
}  // namespace artel::fleet
