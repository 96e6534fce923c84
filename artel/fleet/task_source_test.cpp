#include "artel/fleet/task_source.hpp"

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
#include "artel/scenario/key_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/scenario/workload_trace.hpp"
#include "artel/stat/moments.hpp"

namespace artel::fleet {
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

// In seconds.
stat::Moments gaps_of(const scenario::Scenario& scenario) {
  stat::Moments gaps;
  Instant last{};
  for (const auto arrival : arrivals_of(scenario)) {
    gaps.add(to_seconds(arrival - last));
    last = arrival;
  }
  return gaps;
}

TEST(TaskSource, ConstantArrivalsDoNotDrift) {
  auto scenario = scenario_with(scenario::ConstantArrivals{.rate = 3});
  scenario.run.tasks = 3'000'000;
  EXPECT_EQ(arrivals_of(scenario).back(), Instant{1'000'000s});
}

TEST(TaskSource, AClassHasItsOwnKeyAndOthersTheirDrawnOnesAsBefore) {
  auto scenario = scenario_with(scenario::ConstantArrivals{.rate = 3});
  scenario.run.tasks = 200;
  scenario.workload.keys = scenario::KeySettings(1000, 0);
  scenario.workload.classes = {{.name = "a", .share = 0.5}, {.name = "b", .share = 0.5}};
  const auto keys = [&] {
    TaskSource source(scenario, 0);
    std::vector<std::pair<std::uint32_t, std::uint64_t>> found;
    while (source.next_arrival()) {
      const auto task_class = source.task_class();
      found.emplace_back(task_class, source.key());
    }
    return found;
  };
  const auto drawn = keys();
  scenario.workload.classes[1].key = 5000;
  const auto own = keys();
  ASSERT_EQ(own.size(), drawn.size());
  std::size_t of_class = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    EXPECT_EQ(own[i].first, drawn[i].first);
    EXPECT_EQ(own[i].second, own[i].first == 1 ? 5000 : drawn[i].second);
    of_class += own[i].first;
  }
  EXPECT_GT(of_class, 50U);
}

TEST(TaskSource, DurationEndsTheArrivals) {
  auto scenario = scenario_with(scenario::ConstantArrivals{.rate = 10});
  scenario.run.duration = 1s;
  EXPECT_EQ(arrivals_of(scenario).size(), 10U);
}

TEST(TaskSource, PoissonGapsHaveTheMeanAndSpreadOfAnExponential) {
  auto scenario = scenario_with(scenario::PoissonArrivals{.rate = 4});
  scenario.run.tasks = 200'000;
  const auto gaps = gaps_of(scenario);
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

std::vector<double> seconds_of(const std::vector<Instant>& times) {
  std::vector<double> seconds;
  for (const auto time : times) seconds.push_back(to_seconds(time - Instant{}));
  return seconds;
}

TEST(TaskSource, GapsFollowTheirLaw) {
  auto scenario = scenario_with(
      scenario::RenewalArrivals{*random::Distribution::gamma({.shape = 4, .scale = 0.5})});
  scenario.run.tasks = 100'000;
  const auto gaps = gaps_of(scenario);
  EXPECT_NEAR(gaps.mean(), 2, 0.02);
  EXPECT_NEAR(gaps.stddev(), 1, 0.02);
}

TEST(TaskSource, ABatchComesAtOnceAndTheRateIsOfTasks) {
  auto scenario = scenario_with(scenario::ConstantArrivals{.rate = 2});
  scenario.workload.batch = {3};
  scenario.run.tasks = 7;
  EXPECT_EQ(seconds_of(arrivals_of(scenario)), (std::vector<double>{1.5, 1.5, 1.5, 3, 3, 3, 4.5}));
  for (scenario::Arrivals arrivals :
       {scenario::Arrivals{scenario::PoissonArrivals{.rate = 5}},
        scenario::Arrivals{scenario::MmppArrivals{
            {{.rate = 5, .mean_duration = 1s}, {.rate = 5, .mean_duration = 9s}}}},
        scenario::Arrivals{
            scenario::TimetableArrivals{.points = {{.at = {}, .rate = 5}}, .day = 60s}}}) {
    auto often = scenario_with(std::move(arrivals));
    often.workload.batch = {1, 9};
    often.run.tasks = 200'000;
    EXPECT_NEAR(200'000 / to_seconds(arrivals_of(often).back() - Instant{}), 5, 0.1);
  }
}

TEST(TaskSource, SourcesOfASumComeInOrderOfTime) {
  auto scenario = scenario_with(scenario::SummedArrivals{
      {{.arrivals = scenario::ConstantArrivals{.rate = 1}, .rate = 1},
       {.arrivals = scenario::RenewalArrivals{*random::Distribution::constant(2.5)},
        .batch = {2},
        .rate = 0.8}}});
  scenario.run.duration = 5s;
  EXPECT_EQ(seconds_of(arrivals_of(scenario)),
            (std::vector<double>{1, 2, 2.5, 2.5, 3, 4, 5, 5, 5}));
}

TEST(TaskSource, SourcesOfASumHaveTheirOwnDice) {
  const scenario::ArrivalSource half{.arrivals = scenario::PoissonArrivals{.rate = 1}, .rate = 1};
  auto scenario = scenario_with(scenario::SummedArrivals{{half, half}});
  scenario.run.tasks = 100;
  const auto times = arrivals_of(scenario);
  for (std::size_t i = 1; i < times.size(); ++i) EXPECT_LT(times[i - 1], times[i]);
  EXPECT_EQ(times, arrivals_of(scenario));
  EXPECT_NE(times, arrivals_of(scenario, 1));
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
}  // namespace artel::fleet
