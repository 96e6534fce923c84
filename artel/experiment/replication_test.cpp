#include "artel/experiment/replication.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/scenario/workload_trace.hpp"

namespace artel::experiment {
namespace {

using namespace std::chrono_literals;

// Tasks of the given sizes, one every `gap`.
scenario::Scenario tasks(std::vector<Duration> sizes, Duration gap, std::vector<double> speeds,
                         std::uint32_t queue_bound) {
  scenario::Scenario scenario;
  scenario::WorkloadTrace trace;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    trace.arrivals.push_back(Instant{gap * static_cast<int>(i)});
  trace.services = std::move(sizes);
  scenario.workload.trace = std::make_shared<scenario::WorkloadTrace>(std::move(trace));
  scenario.workload.arrivals = scenario::TraceArrivals{};
  scenario.workload.service = scenario::TraceService{};
  scenario.pool.queue_bounds.assign(speeds.size(), queue_bound);
  scenario.pool.speeds = std::move(speeds);
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

TEST(Replication, EveryDispatcherHasItsOwnTicket) {
  // Two dispatchers in turn, both starting with worker 0: round robin becomes 0 0 1 1.
  auto scenario = tasks({2s, 2s}, 0s, {1.0, 1.0}, dispatch::kUnbounded);
  EXPECT_DOUBLE_EQ(run(scenario).response.max, 2);
  scenario.dispatch.dispatchers = 2;
  EXPECT_DOUBLE_EQ(run(scenario).response.max, 4);
}

TEST(Replication, StopsWhenAsked) {
  auto scenario = tasks(std::vector<Duration>(100'000, 1s), 1s, {1.0}, dispatch::kUnbounded);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(run_replication(scenario, round_robin(), {.stop = stop.get_token()}), std::nullopt);
}

TEST(Replication, SizesAreTheSameUnderEveryPolicy) {
  scenario::Scenario scenario;
  scenario.workload.arrivals = scenario::PoissonArrivals{.rate = 1};
  scenario.workload.service = *random::Distribution::exponential(0.001);  // nobody ever waits long
  scenario.pool.speeds.assign(4, 1.0);
  scenario.pool.queue_bounds.assign(4, dispatch::kUnbounded);
  scenario.run.tasks = 1000;
  scenario::PolicySpec random_split;
  random_split.policy = dispatch::Random{};
  const auto one = run(scenario, random_split);
  const auto other = run(scenario);
  EXPECT_NEAR(one.response.mean - one.wait.mean, other.response.mean - other.wait.mean, 1e-12);
}

}  // namespace
}  // namespace artel::experiment
