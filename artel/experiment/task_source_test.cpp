#include "artel/experiment/task_source.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/scenario/workload_trace.hpp"
#include "artel/stat/moments.hpp"

namespace artel::experiment {
namespace {

using namespace std::chrono_literals;

scenario::Scenario scenario_with(scenario::Arrivals arrivals) {
  scenario::Scenario scenario;
  scenario.workload.arrivals = std::move(arrivals);
  scenario.workload.service = *random::Distribution::exponential(1);
  return scenario;
}

std::vector<Instant> arrivals_of(const scenario::Scenario& scenario,
                                 std::uint32_t replication = 0) {
  TaskSource source(scenario, replication);
  std::vector<Instant> times;
  while (const auto arrival = source.next_arrival()) times.push_back(*arrival);
  return times;
}

TEST(TaskSource, ConstantArrivalsDoNotDrift) {
  auto scenario = scenario_with(scenario::ConstantArrivals{.rate = 3});
  scenario.run.tasks = 3'000'000;
  EXPECT_EQ(arrivals_of(scenario).back(), Instant{1'000'000s});
}

TEST(TaskSource, DurationEndsTheArrivals) {
  auto scenario = scenario_with(scenario::ConstantArrivals{.rate = 10});
  scenario.run.duration = 1s;
  EXPECT_EQ(arrivals_of(scenario).size(), 10U);
}

TEST(TaskSource, PoissonGapsHaveTheMeanAndSpreadOfAnExponential) {
  auto scenario = scenario_with(scenario::PoissonArrivals{.rate = 4});
  scenario.run.tasks = 200'000;
  stat::Moments gaps;
  Instant last{};
  for (const auto arrival : arrivals_of(scenario)) {
    gaps.add(to_seconds(arrival - last));
    last = arrival;
  }
  EXPECT_NEAR(gaps.mean(), 0.25, 0.003);
  EXPECT_NEAR(gaps.stddev(), 0.25, 0.005);
}

TEST(TaskSource, MmppVisitsItsStatesForTheirShareOfTime) {
  // Half the time 10/s, half the time 90/s: 50/s on average, far burstier than Poisson.
  auto scenario = scenario_with(scenario::MmppArrivals{
      .states = {{.rate = 10, .mean_duration = 2s}, {.rate = 90, .mean_duration = 2s}}});
  scenario.run.duration = 20'000s;
  const auto times = arrivals_of(scenario);
  EXPECT_NEAR(static_cast<double>(times.size()) / 20'000, 50, 2.5);
  stat::Moments per_second;
  std::vector<double> counts(20'001);
  for (const auto time : times) ++counts[static_cast<std::size_t>(to_seconds(time))];
  for (const auto count : counts) per_second.add(count);
  EXPECT_GT(per_second.variance(), 10 * per_second.mean());
}

TEST(TaskSource, SilentMmppStateBringsNothing) {
  auto scenario = scenario_with(scenario::MmppArrivals{
      .states = {{.rate = 0, .mean_duration = 1s}, {.rate = 10, .mean_duration = 1s}}});
  scenario.run.tasks = 50'000;
  const auto times = arrivals_of(scenario);
  EXPECT_NEAR(50'000 / to_seconds(times.back()), 5, 0.3);
}

TEST(TaskSource, TraceIsReplayedRowByRowAtTheScale) {
  auto scenario = scenario_with(scenario::TraceArrivals{.scale = 2});
  scenario.workload.service = scenario::TraceService{};
  scenario.workload.trace = std::make_shared<scenario::WorkloadTrace>(
      scenario::WorkloadTrace{.arrivals = {Instant{0s}, Instant{4s}}, .services = {1s, 7s}});
  TaskSource source(scenario, 0);
  EXPECT_EQ(source.next_arrival(), Instant{0s});
  EXPECT_EQ(source.size(), 1s);
  EXPECT_EQ(source.next_arrival(), Instant{2s});
  EXPECT_EQ(source.size(), 7s);
  EXPECT_EQ(source.next_arrival(), std::nullopt);
}

TEST(TaskSource, SameReplicationSameTasksOtherReplicationOthers) {
  auto scenario = scenario_with(scenario::PoissonArrivals{.rate = 1});
  scenario.run.tasks = 100;
  EXPECT_EQ(arrivals_of(scenario, 3), arrivals_of(scenario, 3));
  EXPECT_NE(arrivals_of(scenario, 3), arrivals_of(scenario, 4));
}

TEST(TaskSource, DrawingSizesDoesNotShiftArrivals) {
  auto scenario = scenario_with(scenario::PoissonArrivals{.rate = 1});
  scenario.run.tasks = 100;
  TaskSource source(scenario, 0);
  std::vector<Instant> times;
  while (const auto arrival = source.next_arrival()) {
    times.push_back(*arrival);
    static_cast<void>(source.size());
  }
  EXPECT_EQ(times, arrivals_of(scenario));
}

TEST(TaskSource, HintIsTheSizeUnlessItErrs) {
  auto scenario = scenario_with(scenario::PoissonArrivals{.rate = 1});
  EXPECT_EQ(TaskSource(scenario, 0).hint(5ms), 5ms);
  scenario.workload.hint_error = 0.5;
  TaskSource erring(scenario, 0);
  stat::Moments log_error;
  for (int i = 0; i < 20'000; ++i) log_error.add(std::log(to_seconds(erring.hint(1s))));
  EXPECT_NEAR(log_error.mean(), 0, 0.02);  // median 1
  EXPECT_NEAR(log_error.stddev(), 0.5, 0.02);
}

}  // namespace
}  // namespace artel::experiment
