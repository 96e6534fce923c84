// Tasks that go through several pools, with times worked out by hand.

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "artel/core/error.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"

namespace artel::experiment {
namespace {

// Ten tasks, one per second, 250 ms each in the first pool.
std::string stages_text(const std::string& stages, const std::string& more = "") {
  return R"(
[workload]
arrivals = { kind = "constant", rate = 1 }
service  = { distribution = "constant", value = "250ms" }
)" + more +
         R"(
[pool]
workers = 1
[dispatch]
policies = ["round_robin"]
[run]
tasks = 10
warm_up = "0%"
)" + stages;
}

fleet::Replication run_text(const std::string& text) {
  const auto scenario = scenario::parse_scenario(text, "s.toml");
  EXPECT_TRUE(scenario) << to_string(scenario.error().front());
  if (!scenario) return {};
  return fleet::run_replication(*scenario, scenario->dispatch.policies.front(), {})
      .value_or(fleet::Replication{});
}

fleet::Replication run_stages(const std::string& stages, const std::string& more = "") {
  return run_text(stages_text(stages, more));
}

TEST(SimulatedStages, FollowOneAnotherAndAreMeasuredApart) {
  const auto found = run_stages(R"(
[[stages]]
name = "b"
service = "500ms"
pool = { workers = 1 }
[[stages]]
name = "c"
service = "1s"
pool = { workers = 2 }
)");
  EXPECT_EQ(found.completed, 10U);
  EXPECT_NEAR(found.response.mean, 1.75, 1e-6);
  EXPECT_NEAR(found.wait.mean, 0, 1e-6);
  ASSERT_EQ(found.classes.size(), 3U);
  for (std::size_t stage = 0; stage < 3; ++stage) {
    EXPECT_EQ(found.classes[stage].arrived, 10U);
    EXPECT_NEAR(found.classes[stage].response.mean, stage == 0 ? 0.25 : stage == 1 ? 0.5 : 1, 1e-3);
  }
}

TEST(SimulatedStages, HaveQueuesOfTheirOwn) {
  // The stage takes 1.5 s of what comes every second: each waits 0.5 s longer than the last.
  const auto found =
      run_stages("[[stages]]\nname = \"b\"\nservice = \"1500ms\"\npool = { workers = 1 }\n");
  EXPECT_NEAR(found.classes[1].wait.mean, 0.5 * 4.5, 1e-2);
  EXPECT_NEAR(found.response.max, 0.25 + 1.5 + 9 * 0.5, 1e-6);
}

TEST(SimulatedStages, CallsEndWithTheLast) {
  const auto found = run_stages(
      "[[stages]]\nname = \"b\"\nservice = \"1s\"\ncalls = 2\npool = { workers = 2, speeds = [1, "
      "0.5] }\n",
      "fork = 1\n");
  EXPECT_EQ(found.classes[1].completed, 10U);
  EXPECT_NEAR(found.response.p50, 0.25 + 2 + 4, 1.1);  // the slow worker falls behind by 1 s each
  EXPECT_NEAR(found.response.max, 0.25 + 2 + 9, 1e-6);
}

TEST(SimulatedStages, AreNeededByAShareOfTheTasks) {
  auto text = stages_text(
      "[[stages]]\nname = \"b\"\nprobability = 0.3\nservice = \"1ms\"\npool = { "
      "workers = 1 }\n");
  text.replace(text.find("tasks = 10"), 10, "tasks = 10_000");
  const auto found = run_text(text);
  EXPECT_EQ(found.completed, 10'000U);
  EXPECT_NEAR(static_cast<double>(found.classes[1].arrived), 3'000, 200);
}

TEST(SimulatedStages, WhoIsTurnedAwayAnywhereHasFailed) {
  const auto found = run_stages(
      "[[stages]]\nname = \"b\"\nservice = \"1500ms\"\npool = { workers = 1, queue_bound = 1, "
      "common_bound = 0 }\n");
  EXPECT_EQ(found.rejected, 5U);
  EXPECT_EQ(found.completed, 5U);
  EXPECT_EQ(found.classes[0].completed, 10U);
  EXPECT_EQ(found.classes[1].rejected, 5U);
}

TEST(SimulatedStages, EndThoughTheirWorkersBreakAndViewsAreRenewed) {
  auto text = stages_text(
      "[[stages]]\nname = \"b\"\nservice = \"200ms\"\npool = { workers = 2, failures = { mtbf = "
      "\"10s\", mttr = \"1s\" } }\n");
  text.replace(text.find("policies ="), 10, "staleness = \"1s\"\npolicies =");
  const auto found = run_text(text);
  EXPECT_EQ(found.completed, 10U);
}

TEST(SimulatedStages, HaveObjectivesAndClassesBesides) {
  const auto study = scenario::parse_study(
      stages_text("[[stages]]\nname = \"b\"\nservice = \"500ms\"\npool = { workers = 1 }\nslo = { "
                  "max_response = \"400ms\" }\n",
                  "classes = [{ name = \"x\", share = 0.5 }, { name = \"y\", share = 0.5 }]\n"),
      "s.toml");
  ASSERT_TRUE(study) << to_string(study.error().front());
  const auto& scenario = study->points[0].scenario;
  EXPECT_EQ(scenario.groups().size(), 4U);
  const auto stage = scenario.slo[0].of_class.value_or(scenario::Objective::OfClass{});
  EXPECT_EQ(stage.number, 3U);
  EXPECT_EQ(stage.name, "b");
  const auto result = run_experiment(*study, {});
  const auto& policy = result.points[0].policies[0];
  EXPECT_EQ(judge(policy, scenario.slo[0]), Verdict::missed);
  EXPECT_EQ(
      policy.replications[0].classes[0].completed + policy.replications[0].classes[1].completed,
      10U);
}

// What callers do goes from the first pool to the last stage and back.
constexpr const char* kHalfASecond = R"(
[[stages]]
name = "b"
service = "500ms"
pool = { workers = 2 }
)";

TEST(StagesAndCallers, WaitForTheLastStage) {
  const auto in_time = run_stages(kHalfASecond, "callers = { timeout = \"800ms\" }");
  EXPECT_EQ(in_time.completed, 10U);
  EXPECT_NEAR(in_time.response.mean, 0.75, 1e-3);
  const auto late = run_stages(kHalfASecond, "callers = { timeout = \"700ms\" }");
  EXPECT_EQ(late.abandoned, 10U);
  EXPECT_EQ(late.classes[1].completed, 10U) << "the stage is not told";
}

TEST(StagesAndCallers, AStageDropsWhatNobodyWaitsFor) {
  // Tries of 600 ms, at 0 and at 0.6 s: both are at the stage by then.
  const auto found =
      run_stages(kHalfASecond,
                 "callers = { timeout = \"600ms\", retries = 1, backoff = 0, cancel = "
                 "\"all\" }");
  EXPECT_EQ(found.abandoned, 10U);
  EXPECT_EQ(found.attempts, 20U);
  EXPECT_EQ(found.classes[0].completed, 20U);
  EXPECT_EQ(found.classes[1].arrived, 20U);
  EXPECT_EQ(found.classes[1].abandoned, 20U);
  // With 100 ms for a try it does not come to the stage, though the first pool serves on.
  const auto waiting =
      run_stages(kHalfASecond, "callers = { timeout = \"100ms\", cancel = \"waiting\" }");
  EXPECT_EQ(waiting.classes[0].completed, 10U);
  EXPECT_EQ(waiting.classes[1].arrived, 0U);
  const auto nothing = run_stages(kHalfASecond, "callers = { timeout = \"100ms\" }");
  EXPECT_EQ(nothing.classes[1].completed, 10U);
}

TEST(StagesAndCallers, HedgeWhatAStageKeepsForLong) {
  const auto found = run_stages(kHalfASecond, "callers = { hedge = \"300ms\", cancel = \"all\" }");
  EXPECT_EQ(found.completed, 10U);
  EXPECT_EQ(found.attempts, 20U);
  EXPECT_NEAR(found.response.mean, 0.75, 1e-3);
  EXPECT_EQ(found.classes[1].completed, 10U);
  EXPECT_EQ(found.classes[1].abandoned, 10U) << "taken back with the first answer";
}

TEST(StagesAndCallers, TryAgainWhatAStageRefused) {
  // Two at once every 2 s. The stage takes one of them, the other comes again 600 ms later.
  const auto found = run_text(R"(
[workload]
arrivals = { kind = "constant", rate = 1, batch = 2 }
service  = { distribution = "constant", value = "250ms" }
callers  = { retries = 1, backoff = "600ms" }
[pool]
workers = 2
[[stages]]
name = "b"
service = "500ms"
pool = { workers = 1, queue_bound = 1, common_bound = 0 }
[dispatch]
policies = ["round_robin"]
[run]
tasks = 10
warm_up = "0%"
)");
  EXPECT_EQ(found.completed, 10U);
  EXPECT_EQ(found.attempts, 15U);
  EXPECT_NEAR(found.response.mean, (0.75 + 1.6) / 2, 1e-3);
  EXPECT_EQ(found.classes[1].rejected, 5U);
}

TEST(StagesAndCallers, EveryRequestEndsOnceWhateverFails) {
  for (const auto* cancel : {"nothing", "waiting", "all"}) {
    const auto found = run_text(std::string(R"(
[workload]
arrivals = { kind = "poisson", load = 0.12 }
service  = { distribution = "exponential", mean = "100ms" }
patience = "2s"
classes  = [{ name = "a", share = 0.3, deadline = "1s" }, { name = "b", share = 0.7 }]
[workload.callers]
timeout = "700ms"
retries = 2
backoff = "50ms"
hedge   = "p90"
redraw  = true
cancel  = ")") + cancel + R"("
[pool]
workers  = 4
failures = { mtbf = "20s", mttr = "1s", task = "lose" }
[[stages]]
name    = "search"
calls   = 2
service = { distribution = "exponential", mean = "80ms" }
pool    = { workers = 8, queue_bound = 4, common_bound = 2 }
[[stages]]
name        = "store"
probability = 0.5
service     = { distribution = "exponential", mean = "60ms" }
pool        = { workers = 3, discipline = "ps", failures = { mtbf = "20s", mttr = "1s", task = "lose" } }
[dispatch]
policies = ["jsq"]
[run]
tasks = 5000
warm_up = "0%"
)");
    EXPECT_EQ(found.arrived, 5000U) << cancel;
    EXPECT_EQ(found.completed + found.rejected + found.abandoned, 5000U) << cancel;
    EXPECT_GT(found.completed, 2000U) << cancel;
    EXPECT_GT(found.attempts, 5000U) << cancel;
    EXPECT_EQ(found.classes[0].arrived + found.classes[1].arrived, 5000U) << cancel;
    for (std::size_t stage = 2; stage < found.classes.size(); ++stage) {
      const auto& one = found.classes[stage];
      EXPECT_EQ(one.completed + one.rejected + one.abandoned, one.arrived) << cancel << stage;
      EXPECT_GT(one.completed, 0U) << cancel << stage;
    }
  }
}

}  // namespace
}  // namespace artel::experiment
