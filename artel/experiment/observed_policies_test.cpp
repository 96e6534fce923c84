#include "artel/experiment/observed_policies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stop_token>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/observation.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/fleet/time_series.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::experiment {
namespace {

scenario::Scenario scenario() {
  auto parsed = scenario::parse_scenario(R"(
[workload]
arrivals = { kind = "poisson", load = 0.7 }
service  = { distribution = "exponential", mean = "1 s" }
[pool]
workers = 4
[dispatch]
policies = ["central", "random"]
[run]
tasks = 3000
)",
                                         "observed.toml");
  EXPECT_TRUE(parsed);
  return *std::move(parsed);
}

double average(const fleet::TimeSeries& series) {
  const auto means = series.means();
  double sum = 0;
  for (const auto mean : means) sum += mean;
  return sum / static_cast<double>(means.size());
}

TEST(ObservedPolicies, ShowWhatTheReplicationMeasures) {
  const auto pool = scenario();
  const auto observed = observe_policies(pool, {}).value_or(ObservedPolicies{});
  ASSERT_EQ(observed.policies.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto measured =
        fleet::run_replication(pool, pool.dispatch.policies[i], {}).value_or(fleet::Replication{});
    const auto& seen = observed.policies[i];
    EXPECT_NEAR(average(seen.in_system()), measured.in_system, 0.05 * measured.in_system);
    EXPECT_NEAR(average(seen.busy()) / 4, measured.utilisation, 0.05);
  }
}

TEST(ObservedPolicies, SeeTheSameTasksInTheSameWindow) {
  const auto observed = observe_policies(scenario(), {}).value_or(ObservedPolicies{});
  ASSERT_EQ(observed.policies.size(), 2U);
  const auto& window = observed.window;
  const auto arrivals =
      [&](const fleet::Observation& policy) {  // of those that start and end within
        std::vector<Instant> times;
        for (const auto& task : policy.tasks()) {
          EXPECT_LT(task.start, window.to);
          EXPECT_GT(task.end, window.from);
          EXPECT_LE(task.arrival, task.start);
          times.push_back(task.arrival);
        }
        std::ranges::sort(times);
        return times;
      };
  const auto central = arrivals(observed.policies[0]);
  const auto random = arrivals(observed.policies[1]);
  std::vector<Instant> both;
  std::ranges::set_intersection(central, random, std::back_inserter(both));
  EXPECT_GT(both.size(), central.size() / 4);
}

TEST(ObservedPolicies, DoNotDependOnTheNumberOfThreads) {
  const auto one = observe_policies(scenario(), {.jobs = 1}).value_or(ObservedPolicies{});
  const auto many = observe_policies(scenario(), {.jobs = 4}).value_or(ObservedPolicies{});
  ASSERT_EQ(one.policies.size(), many.policies.size());
  EXPECT_EQ(one.window.from, many.window.from);
  EXPECT_EQ(one.policies[1].in_system().means(), many.policies[1].in_system().means());
}

TEST(ObservedPolicies, ObservingDoesNotChangeTheResult) {
  const auto pool = scenario();
  fleet::Observation observation(pool.pool.speeds.size());
  const auto& policy = pool.dispatch.policies[1];
  const auto plain = fleet::run_replication(pool, policy, {}).value_or(fleet::Replication{});
  const auto observed = fleet::run_replication(pool, policy, {.observation = &observation})
                            .value_or(fleet::Replication{});
  EXPECT_EQ(plain.response.p99, observed.response.p99);
  EXPECT_EQ(plain.events, observed.events);
}

TEST(ObservedPolicies, StopWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(observe_policies(scenario(), {.stop = stop.get_token()}));
}

}  // namespace
}  // namespace artel::experiment
