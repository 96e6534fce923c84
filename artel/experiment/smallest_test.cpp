#include "artel/experiment/smallest.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/experiment/run_experiment.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"
#include "artel/scenario/sweep_axis.hpp"

namespace artel::experiment {
namespace {

using Axes = std::vector<scenario::SweepAxis>;
using Means = std::vector<double>;  // of one policy at one point, one per replication

constexpr double kLimit = 10;

PolicyResult policy(const Means& means, const std::string& label = "random") {
  PolicyResult result{.label = label};
  for (const double value : means) {
    result.replications.push_back({.response = {.mean = value}, .arrived = 1, .completed = 1});
  }
  return result;
}

// Points of a study whose mean response shall be at most kLimit.
struct Trial {
  scenario::Study study;
  ExperimentResult result;

  explicit Trial(const Axes& axes) {
    study.axes = axes;
    result.axes = axes;
  }

  void add(const std::vector<std::string>& values, std::vector<PolicyResult> policies) {
    study.points.push_back({.values = values, .scenario = {}});
    study.points.back().scenario.slo = {
        {.name = "mean_response", .statistic = scenario::Statistic::mean, .limit = kLimit}};
    result.points.push_back({.values = values, .policies = std::move(policies)});
  }

  [[nodiscard]] std::vector<Smallest> answers() const { return smallest_that_meets(study, result); }
};

// The smallest number of workers at which one policy meets the limit.
std::optional<std::string> smallest(const std::vector<std::string>& workers,
                                    const std::vector<Means>& means) {
  Trial trial(Axes{{.key = "pool.workers", .values = workers}});
  for (std::size_t i = 0; i < workers.size(); ++i) trial.add({workers[i]}, {policy(means[i])});
  const auto answers = trial.answers();
  EXPECT_EQ(answers.size(), 1U);
  const auto point = answers.at(0).point;
  return point ? std::optional(workers[*point]) : std::nullopt;
}

TEST(Smallest, IsTheLeastValueThatMeets) {
  EXPECT_EQ(smallest({"8", "12", "16"}, {{20, 20}, {9, 9}, {5, 5}}), "12");
}

TEST(Smallest, ComparesNumbersNotText) {
  EXPECT_EQ(smallest({"16", "8", "12"}, {{5, 5}, {20, 20}, {9, 9}}), "12");
}

TEST(Smallest, IgnoresALuckyValueBelowAMissedOne) {
  EXPECT_EQ(smallest({"8", "12", "16", "20"}, {{9, 9}, {11, 11}, {8, 8}, {5, 5}}), "16");
}

TEST(Smallest, TellsWhyThereIsNone) {
  const auto beyond = [](const Means& means) {
    Trial trial(Axes{{.key = "pool.workers", .values = {"8"}}});
    trial.add({"8"}, {policy(means)});
    EXPECT_EQ(trial.answers().at(0).point, std::nullopt);
    return trial.answers().at(0).beyond;
  };
  EXPECT_EQ(beyond({20, 20}), Verdict::missed);
  EXPECT_EQ(beyond({9, 10.1}), Verdict::unclear);
  EXPECT_EQ(beyond({9}), Verdict::unclear);
  EXPECT_EQ(beyond({}), Verdict::not_measured);
}

TEST(Smallest, NoneWhenTheLargestMisses) {
  EXPECT_EQ(smallest({"8", "12"}, {{20, 20}, {11, 11}}), std::nullopt);
}

TEST(Smallest, UnclearIsNotMet) {
  const Means unclear{9, 10.1};  // the limit lies inside the interval
  ASSERT_EQ(judge(policy(unclear), scenario::Objective{.name = "mean_response",
                                                       .statistic = scenario::Statistic::mean,
                                                       .limit = kLimit}),
            Verdict::unclear);
  EXPECT_EQ(smallest({"8", "12", "16"}, {{20, 20}, unclear, {5, 5}}), "16");
  EXPECT_EQ(smallest({"8", "12"}, {{5, 5}, unclear}), std::nullopt);
}

TEST(Smallest, OneReplicationIsNotEnough) { EXPECT_EQ(smallest({"8", "12"}, {{5}, {5, 5}}), "12"); }

TEST(Smallest, AnswersForEveryPolicyAndEveryOtherValue) {
  Trial trial(
      {{.key = "pool.workers", .values = {"1", "2"}}, {.key = "run.seed", .values = {"7", "8"}}});
  trial.add({"1", "7"}, {policy({5, 5}, "random"), policy({20, 20}, "jsq")});
  trial.add({"1", "8"}, {policy({20, 20}, "random"), policy({20, 20}, "jsq")});
  trial.add({"2", "7"}, {policy({5, 5}, "random"), policy({5, 5}, "jsq")});
  trial.add({"2", "8"}, {policy({5, 5}, "random"), policy({20, 20}, "jsq")});
  const auto answers = trial.answers();
  ASSERT_EQ(answers.size(), 4U);
  EXPECT_EQ(answers[0].policy, "random");
  EXPECT_EQ(answers[0].key, "pool.workers");
  EXPECT_EQ(answers[0].others, "run.seed=7");
  EXPECT_EQ(answers[0].point, 0U);
  EXPECT_EQ(answers[1].policy, "jsq");
  EXPECT_EQ(answers[1].point, 2U);
  EXPECT_EQ(answers[2].others, "run.seed=8");
  EXPECT_EQ(answers[2].point, 3U);
  EXPECT_EQ(answers[3].point, std::nullopt);
}

TEST(Smallest, WithoutWorkersTheLastAxisCounts) {
  Trial trial(
      Axes{{.key = "run.seed", .values = {"1"}}, {.key = "pool.queue", .values = {"1", "2"}}});
  trial.add({"1", "1"}, {policy({20, 20})});
  trial.add({"1", "2"}, {policy({5, 5})});
  const auto answers = trial.answers();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].key, "pool.queue");
  EXPECT_EQ(answers[0].point, 1U);
}

TEST(Smallest, NothingWithoutNumbersOrObjectives) {
  Trial words(Axes{{.key = "dispatch.policies", .values = {"random"}}});
  words.add({"random"}, {policy({5, 5})});
  EXPECT_TRUE(words.answers().empty());
  Trial open(Axes{{.key = "pool.workers", .values = {"1"}}});
  open.add({"1"}, {policy({5, 5})});
  open.study.points[0].scenario.slo.clear();
  EXPECT_TRUE(open.answers().empty());
}

}  // namespace
}  // namespace artel::experiment
