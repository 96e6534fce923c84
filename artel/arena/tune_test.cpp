#include "artel/arena/tune.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <stop_token>
#include <string>

#include "artel/arena/costs.hpp"
#include "artel/arena/parameter_range.hpp"
#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"
#include "artel/stat/interval.hpp"

namespace artel::arena {
namespace {

scenario::Scenario two_workers(const std::string& more) {
  const auto scenario = scenario::parse_scenario(R"(
[workload]
arrivals = { kind = "poisson", load = 0.7 }
service  = { distribution = "exponential", mean = "1 s" }
[dispatch]
policies = ["random"]
[run]
tasks = 10_000
warm_up = "10%"
[pool]
)" + more,
                                                 "two.toml");
  EXPECT_TRUE(scenario) << to_string(scenario.error().front());
  return *scenario;
}

TuneResult tuned(const scenario::Scenario& scenario, const std::string& range,
                 const TuneOptions& options) {
  const auto result = tune(scenario, *parse_parameter_range(range), options);
  EXPECT_TRUE(result) << to_string(result.error());
  return *result;
}

// Sizes up to `cut` go to one of two workers, the others to the other one: two M/G/1 queues, each
// with a mean wait by Pollaczek and Khinchine. Exponential sizes of mean 1, 1.4 tasks per second.
double response_with(double cut) {
  constexpr double kRate = 1.4;
  const double tail = std::exp(-cut);
  const double below = 1 - (1 + cut) * tail;                    // E[X; X < cut]
  const double squares = 2 - (cut * cut + 2 * cut + 2) * tail;  // E[X²; X < cut]
  if (kRate * below >= 1 || kRate * (1 - below) >= 1) return INFINITY;
  const double short_wait = kRate * squares / 2 / (1 - kRate * below);
  const double long_wait = kRate * (2 - squares) / 2 / (1 - kRate * (1 - below));
  return 1 + (1 - tail) * short_wait + tail * long_wait;
}

TEST(Tune, FindsTheCutOffThatTheoryKnows) {
  double cut = 0.01;
  for (double other = cut; other < 10; other += 0.001) {
    if (response_with(other) < response_with(cut)) cut = other;
  }
  const auto result = tuned(two_workers("workers = 2"), "sita(cutoffs=0.5..5)", {.jobs = 2});
  const auto& best = result.values.at(result.best);
  EXPECT_LE(result.low, cut);
  EXPECT_GE(result.high, cut);
  EXPECT_LT(result.high - result.low, 2);
  EXPECT_LT(response_with(best.value), 1.03 * response_with(cut));
  EXPECT_NEAR(best.held_back.center, response_with(best.value),
              best.held_back.half_width + 0.05 * response_with(best.value));
  const auto fallback = result.fallback.value_or(TunedValue{});
  EXPECT_EQ(fallback.policy, "sita");
  EXPECT_GE(fallback.regret.high(), 0);
}

// More choices are never worse where lengths are fresh.
TEST(Tune, OfWholeNumbersFindsTheEndOfTheRange) {
  const auto result = tuned(two_workers("workers = 10"), "jsq(d=1..8)", {.replications = 5});
  EXPECT_EQ(result.values.size(), 8U);
  EXPECT_GE(result.values.at(result.best).value, 6);
  EXPECT_EQ(result.high, 8);
  EXPECT_GE(result.low, 4);
  EXPECT_TRUE(result.values.front().worse);
}

TEST(Tune, ThreadsDoNotMatter) {
  const auto scenario = two_workers("workers = 4");
  const auto one = tuned(scenario, "jsq(d=1..3)", {.replications = 3, .jobs = 1});
  const auto three = tuned(scenario, "jsq(d=1..3)", {.replications = 3, .jobs = 3});
  ASSERT_EQ(one.values.size(), three.values.size());
  for (std::size_t i = 0; i < one.values.size(); ++i)
    EXPECT_EQ(one.values[i].held_back.center, three.values[i].held_back.center);
}

TEST(Tune, WhatItSaysComesFromOtherTasks) {
  auto scenario = two_workers("workers = 4");
  scenario.run.seed = Seed{5};
  const auto found = tuned(scenario, "jsq(d=1..3)", {.replications = 3});
  scenario.run.seed = Seed{6};
  const auto other = tuned(scenario, "jsq(d=1..3)", {.replications = 3});
  EXPECT_NE(found.values.front().held_back.center, other.values.front().held_back.center);

  // Nor from the tasks that a run of the scenario as it is has, among which the value was chosen.
  scenario.run.replications = scenario.run.replications_max = 3;
  scenario.dispatch.policies = {
      *policy_at(*parse_parameter_range("jsq(d=1..3)"), other.values.front().value)};
  scenario::Study study;
  study.points.push_back({.values = {}, .scenario = scenario});
  const auto chosen_among = experiment::run_experiment(study, {});
  const auto seen = costs(scenario, chosen_among.points.front().policies.front());
  const auto mean = stat::mean_interval(seen, experiment::kConfidence).center;
  EXPECT_NE(other.values.front().held_back.center, mean);
}

TEST(Tune, StoppedItHasNoValues) {
  std::stop_source stop;
  const auto result = tuned(two_workers("workers = 4"), "jsq(d=1..3)",
                            {.stop = stop.get_token(), .progress = [&](std::size_t done) {
                               if (done == 4) stop.request_stop();
                             }});
  EXPECT_FALSE(result.complete);
  EXPECT_TRUE(result.values.empty());
}

}  // namespace
}  // namespace artel::arena
