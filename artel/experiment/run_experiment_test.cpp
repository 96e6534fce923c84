#include "artel/experiment/run_experiment.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/replication_options.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/study.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/stat/interval.hpp"

namespace artel::experiment {
namespace {

constexpr const char* kQueue = R"(
name = "queue"
[workload]
arrivals = { kind = "poisson", load = 0.6 }
service  = { distribution = "exponential", mean = "1 s" }
[pool]
workers = 4
[dispatch]
policies = ["central", "random"]
[run]
tasks        = 2000
replications = 4
)";

scenario::Study study(const std::string& more = "",
                      std::vector<scenario::Override> overrides = {}) {
  auto parsed = scenario::parse_study(kQueue + more, "queue.toml", overrides);
  EXPECT_TRUE(parsed) << to_string(parsed.error().front());
  return *std::move(parsed);
}

double mean_of(const ExperimentResult& result, std::size_t policy) {
  return result.points[0]
      .policies[policy]
      .estimate(scenario::Quantity::response, scenario::Statistic::mean)
      .center;
}

TEST(Experiment, RunsEveryPolicyWithTheReplicationsAskedFor) {
  const auto result = run_experiment(study(), {.jobs = 2});
  ASSERT_EQ(result.points.size(), 1U);
  EXPECT_TRUE(result.complete);
  for (const auto& policy : result.points[0].policies) {
    EXPECT_EQ(policy.replications.size(), 4U);
    EXPECT_EQ(policy.times.responses.all().count(), policy.tasks());
  }
  EXPECT_LT(mean_of(result, 0), mean_of(result, 1));
}

// Nothing is drawn but by the second policy.
TEST(Experiment, OneReplicationIsAllOfAPolicyWithoutChance) {
  const std::vector<scenario::Override> constant{
      {"workload.arrivals", "{ kind = 'constant', load = 0.6 }"},
      {"workload.service", "{ distribution = 'constant', value = '1 s' }"}};
  const auto result = run_experiment(study("", constant), {.jobs = 2});
  const auto& policies = result.points[0].policies;
  EXPECT_TRUE(policies[0].exact);
  EXPECT_EQ(policies[0].replications.size(), 1U);
  EXPECT_FALSE(policies[1].exact);
  EXPECT_EQ(policies[1].replications.size(), 4U);
}

TEST(Experiment, ResultDoesNotDependOnTheNumberOfThreads) {
  const auto one = run_experiment(study(), {.jobs = 1});
  const auto many = run_experiment(study(), {.jobs = 7});
  for (const std::size_t policy : {0U, 1U}) EXPECT_EQ(mean_of(one, policy), mean_of(many, policy));
  EXPECT_EQ(one.points[0].warm_up_tasks, many.points[0].warm_up_tasks);
}

TEST(Experiment, ReplicatesUntilPrecise) {
  const auto result =
      run_experiment(study("precision = 0.05\nreplications_max = 400\n"), {.jobs = 2});
  for (const auto& policy : result.points[0].policies) {
    EXPECT_LE(policy.estimate(scenario::Quantity::response, scenario::Statistic::mean).relative(),
              0.05);
    EXPECT_GT(policy.replications.size(), 4U);
    EXPECT_LT(policy.replications.size(), 400U);
  }
}

// What a stop found is looked at again: the last round was precise, and the one before it, too, or
// the last one by far. No round before was.
TEST(Experiment, PrecisionIsReachedInTwoRoundsOrByFar) {
  int twice = 0;
  int by_far = 0;
  for (int seed = 1; seed <= 40; ++seed) {
    const auto result = run_experiment(
        study("precision = 0.1\nreplications_max = 400\nseed = " + std::to_string(seed) + "\n",
              {{"dispatch.policies", "['random']"}}),
        {.jobs = 2});
    const auto& all = result.points[0].policies[0].replications;
    const auto off = [&](std::size_t count) {
      std::vector<double> means;
      for (std::size_t i = 0; i < count; ++i) means.push_back(all[i].response.mean);
      return stat::mean_interval(means, kConfidence).relative() / 0.1;
    };
    for (std::size_t count = 4; count <= all.size(); count += 4) {
      const bool two = count > 4 && off(count) <= 1 && off(count - 4) <= 1;
      const bool far = off(count) <= 2.0 / 3;
      EXPECT_EQ(two || far, count == all.size()) << seed << ": " << count;
      twice += two ? 1 : 0;
      by_far += far ? 1 : 0;
    }
  }
  EXPECT_GT(twice, 5);
  EXPECT_GT(by_far, 5);
}

// However often it is stopped in between.
TEST(Experiment, ReplicatesUntilAPercentileIsPrecise) {
  const auto wanted = study("precision = 0.06\nprecision_of = \"p99\"\nreplications_max = 400\n");
  const auto whole = run_experiment(wanted, {.jobs = 2});
  for (const auto& policy : whole.points[0].policies) {
    EXPECT_LE(policy.estimate(scenario::Quantity::response, scenario::Statistic::p99).relative(),
              0.06);
    EXPECT_GT(policy.replications.size(), 8U);
    EXPECT_LT(policy.replications.size(), 400U);
  }
  ExperimentResult known;
  for (int stops = 0; stops < 1000 && (known.points.empty() || !known.complete); ++stops) {
    std::stop_source stop;
    known = run_experiment(wanted, {.stop = stop.get_token(),
                                    .progress =
                                        [&](const ExperimentProgress& p) {
                                          if (p.done >= 5) stop.request_stop();
                                        },
                                    .resume = known.points.empty() ? nullptr : &known});
  }
  for (const std::size_t policy : {0U, 1U})
    EXPECT_EQ(known.points[0].policies[policy].replications.size(),
              whole.points[0].policies[policy].replications.size());
}

TEST(Experiment, StopsAtTheMostReplications) {
  const auto result =
      run_experiment(study("precision = 0.0001\nreplications_max = 10\n"), {.jobs = 2});
  EXPECT_EQ(result.points[0].policies[0].replications.size(), 10U);
  EXPECT_TRUE(result.complete);
}

TEST(Experiment, StoppedOneIsIncomplete) {
  std::stop_source stop;
  const auto result = run_experiment(
      study(), {.jobs = 1, .stop = stop.get_token(), .progress = [&](const ExperimentProgress& p) {
                  if (p.done == 4) stop.request_stop();
                }});
  EXPECT_FALSE(result.complete);
  EXPECT_LT(result.points[0].policies[1].replications.size(), 4U);
}

TEST(Experiment, ProgressEndsAtTheTotal) {
  ExperimentProgress last;
  static_cast<void>(run_experiment(
      study(), {.jobs = 2, .progress = [&](const ExperimentProgress& p) { last = p; }}));
  EXPECT_EQ(last.done, last.total);
  EXPECT_EQ(last.total,
            2U * (4 + 1));  // two policies: four replications and a pilot for the warm-up each
}

TEST(Experiment, ProgressComesFromWithinReplications) {
  const std::vector<scenario::Override> longer{
      {"run.tasks", "400_000"}, {"run.replications", "2"}, {"run.warm_up", "\"10%\""}};
  std::vector<double> all{0};
  const auto result =
      run_experiment(study("", longer), {.jobs = 2, .progress = [&](const ExperimentProgress& p) {
                                           EXPECT_LE(p.under_way, 2);  // no more are begun at once
                                           all.push_back(static_cast<double>(p.done) + p.under_way);
                                         }});
  EXPECT_TRUE(result.complete);
  // Two events a task, and it is told after every 65 536.
  EXPECT_GE(all.size(), 2 * 2 * (2 * 400'000 / 65'536));
  for (std::size_t i = 1; i < all.size(); ++i) {
    EXPECT_GE(all[i] + 1e-9, all[i - 1]);
    EXPECT_LE(all[i] - all[i - 1], 0.5);
  }
  EXPECT_DOUBLE_EQ(all.back(), 4);
}

TEST(Experiment, IsStoppedFromWithinAReplication) {
  std::stop_source stop;
  const auto result =
      run_experiment(study("", {{"run.tasks", "100_000_000"}}),
                     {.stop = stop.get_token(), .progress = [&](const ExperimentProgress& p) {
                        EXPECT_EQ(p.done, 0U);
                        stop.request_stop();
                      }});
  EXPECT_FALSE(result.complete);
}

TEST(Experiment, WarmUpByShareIsOfAllTasks) {
  const auto result = run_experiment(study("warm_up = \"25%\"\n"), {});
  EXPECT_EQ(result.points[0].warm_up_tasks, 500U);
  EXPECT_EQ(result.points[0].policies[0].replications[0].arrived, 1500U);
}

PolicyResult with_means(const std::vector<double>& values) {
  PolicyResult result;
  for (const double value : values) {
    result.replications.push_back({.response = {.mean = value}, .arrived = 1, .completed = 1});
  }
  return result;
}

TEST(Judge, LimitInsideTheIntervalIsUnclear) {
  const scenario::Objective objective{
      .name = "mean_response", .statistic = scenario::Statistic::mean, .limit = 10};
  EXPECT_EQ(judge(with_means({5, 5.1, 5.2}), objective), Verdict::met);
  EXPECT_EQ(judge(with_means({15, 15.1, 15.2}), objective), Verdict::missed);
  EXPECT_EQ(judge(with_means({9, 10, 10.5}), objective), Verdict::unclear);
}

TEST(Judge, OneReplicationIsClearOnlyIfItIsExact) {
  const scenario::Objective objective{
      .name = "mean_response", .statistic = scenario::Statistic::mean, .limit = 10};
  auto result = with_means({5});
  EXPECT_EQ(judge(result, objective), Verdict::unclear);
  result.exact = true;
  EXPECT_EQ(judge(result, objective), Verdict::met);
}

// One bad spell in five replications: their own p99s would be 100 ms, and a second once; of all
// tasks together one in 50 took a second.
TEST(Judge, ATailThatFewReplicationsSeeIsSeen) {
  PolicyResult result;
  for (std::uint32_t i = 0; i < 5; ++i) {
    stat::Histogram times(fleet::kHistogramBits);
    times.record(100'000'000, 1000);
    if (i == 3) times.record(1'000'000'000, 100);
    result.times.responses.add(i, times);
    result.replications.push_back(
        {.index = i, .arrived = times.count(), .completed = times.count()});
  }
  const auto p99 = result.estimate(scenario::Quantity::response, scenario::Statistic::p99);
  EXPECT_NEAR(p99.center, 1, 0.001);
  EXPECT_EQ(judge(result, scenario::Objective{.name = "p99_response", .limit = 0.5}),
            Verdict::unclear);
}

// Whatever the numbers are that nobody measured.
RC_GTEST_PROP(Judge, WithoutACountedTaskNothingIsMet,
              (const std::vector<double>& values, bool exact)) {
  const auto statistic = *rc::gen::element(scenario::Statistic::mean, scenario::Statistic::p99,
                                           scenario::Statistic::max);
  const auto quantity = *rc::gen::element(scenario::Quantity::response, scenario::Quantity::wait,
                                          scenario::Quantity::rejected);
  PolicyResult result{.exact = exact};
  for (const double value : values) {
    fleet::Replication replication{.response = {.mean = value}, .tasks = 100};
    // All were turned away: that is known of them, and nothing else.
    if (quantity != scenario::Quantity::rejected) replication.arrived = replication.rejected = 5;
    result.replications.push_back(replication);
  }
  const scenario::Objective objective{
      .name = "", .quantity = quantity, .statistic = statistic, .limit = 1};
  RC_ASSERT(judge(result, objective) == Verdict::not_measured);
  RC_ASSERT(judge(result, std::vector{objective}) == Verdict::not_measured);
}

TEST(Judge, AWarmUpThatTakesAllLeavesNothingMeasured) {
  const auto settings = study("warm_up = \"1 h\"\n[slo]\np99_response = \"1 h\"\n");
  const auto result = run_experiment(settings, {});
  EXPECT_EQ(result.points[0].policies[0].tasks(), 0U);
  EXPECT_EQ(judge(result.points[0].policies[0], settings.points[0].scenario.slo),
            Verdict::not_measured);
}

}  // namespace
}  // namespace artel::experiment
