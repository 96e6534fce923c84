#include "artel/report/detail/plan_obstacle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "artel/plan/plan.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/report/plan_table.hpp"
#include "artel/scenario/load_scenario.hpp"

namespace artel::report::detail {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Ten tasks a second that take 50 ms; `rest` is what else there is.
plan::PlanResult planned(const std::string& pool, const std::string& rest,
                         std::uint32_t workers_max = 40) {
  const auto text =
      "[workload]\narrivals = { kind = 'poisson', rate = 10 }\n"
      "service = { distribution = 'exponential', mean = '50ms' }\n[pool]\nworkers = 2\n" +
      pool + "\n[dispatch]\npolicies = ['least_loaded']\n[run]\ntasks = 2000\nwarm_up = '0%'\n" +
      rest;
  const auto scenario = scenario::parse_scenario(text, "s.toml");
  EXPECT_TRUE(scenario) << to_string(scenario.error().front());
  return plan::plan(scenario.value(), {.workers_max = workers_max}).value();
}

std::string obstacle(const plan::PlanResult& plan) {
  EXPECT_FALSE(plan.rows[0].smallest) << plan_table(plan);
  return plan_obstacle(plan, plan.rows[0]);
}

TEST(PlanObstacle, IsTheWorkAloneOnlyWhereNoTaskWaits) {
  const auto plan = planned("", "[slo]\np99_response = '100ms'\n");
  EXPECT_THAT(obstacle(plan), HasSubstr(", with which no task waits for one: p99 response is 2"));
  EXPECT_THAT(obstacle(plan), HasSubstr(", and the work alone takes longer, however many workers"));
  EXPECT_LT(plan.rows[0].trials.back().workers, 40U) << "more change nothing";
}

TEST(PlanObstacle, OfSharedWorkersIsTheMostAllowed) {
  const auto plan = planned("discipline = 'ps'", "[slo]\np99_response = '230ms'\n", 2);
  EXPECT_THAT(obstacle(plan), HasSubstr("not met with 2 workers, the most allowed: p99 response"));
  EXPECT_THAT(obstacle(plan), Not(HasSubstr("work alone")));
}

TEST(PlanObstacle, WhereTasksAreTurnedAwayIsTheMostAllowed) {
  const auto plan = planned("queue_bound = 1\ncommon_bound = 0", "[slo]\nrejected = 0.001\n", 2);
  EXPECT_THAT(obstacle(plan), HasSubstr("not met with 2 workers, the most allowed: rejected is "));
}

TEST(PlanObstacle, NamesTheObjectiveThatIsMissedAndNoOther) {
  const auto plan = planned("", "[slo]\np50_response = '100ms'\nmax_response = '150ms'\n");
  EXPECT_THAT(obstacle(plan), HasSubstr("max response is "));
  EXPECT_THAT(obstacle(plan), Not(HasSubstr("p50")));
}

// A stage of ten tasks a second that take 50 ms, on so many workers.
std::string stage(const std::string& workers, const std::string& slo) {
  return "[[stages]]\nname = 'search'\nservice = { distribution = 'exponential', mean = '50ms' }\n"
         "pool = { workers = " +
         workers + " }\n" + slo;
}

TEST(PlanObstacle, OfAStageNamesItAndItsWorkers) {
  const auto plan = planned("", stage("1", "slo = { p99_response = '300ms' }\n"));
  EXPECT_THAT(obstacle(plan), HasSubstr("p99 response of search is "));
  EXPECT_THAT(obstacle(plan), HasSubstr(", which keeps its 1 worker"));
  EXPECT_THAT(obstacle(plan), Not(HasSubstr("work alone")));
  EXPECT_THAT(
      plan_answer(plan),
      HasSubstr("Only the workers of [pool] were varied, not those of search (1 worker): change "
                "them by --set stages.0.pool.workers=N.\n"));
  EXPECT_LT(plan.rows[0].trials.back().workers, 40U) << "more in [pool] change nothing there";
}

TEST(PlanObstacle, OfAStageIsFoundWithSlotsInFrontOfIt) {
  const auto plan = planned("slots = 3", stage("1", "slo = { p99_response = '300ms' }\n"));
  EXPECT_THAT(obstacle(plan), HasSubstr("p99 response of search is "));
  EXPECT_LT(plan.rows[0].trials.back().workers, 40U);
}

TEST(PlanObstacle, OfAStageIsItsWorkAloneOnlyWhereNoCallWaits) {
  const auto plan = planned("", stage("30", "slo = { p99_response = '100ms' }\n"));
  EXPECT_THAT(obstacle(plan), HasSubstr(", of which the work alone takes longer"));
}

TEST(PlanObstacle, OfAStageThatCannotKeepUpIsItsLoad) {
  const auto plan = planned("", stage("1", "calls = 3\nslo = { p99_response = 1 }\n"));
  EXPECT_THAT(obstacle(plan), HasSubstr(", which has a load of 1.5"));
}

TEST(PlanObstacle, OfTheWholeSaysWhatEachStageTakes) {
  const auto plan = planned("", stage("1", "[slo]\np99_response = '400ms'\n"));
  EXPECT_THAT(obstacle(plan), HasSubstr(", though no task waits for [pool]: pool 2"));
  EXPECT_THAT(obstacle(plan), HasSubstr(" ms and search "));
}

TEST(PlanObstacle, IsThatTheMostAllowedCannotKeepUpOrHoldCopies) {
  const auto busy = planned("speeds = 0.1\nqueue_bound = 4", "[slo]\np99_response = 1\n", 4);
  EXPECT_THAT(obstacle(busy), HasSubstr("4 workers, the most allowed, cannot keep up with what"));
  auto copies = planned("", "[workload.callers]\ncopies = 2\n[slo]\np99_response = 1\n", 1);
  EXPECT_THAT(obstacle(copies), HasSubstr("1 worker, the most allowed, cannot hold the copies of"));
}

}  // namespace
}  // namespace artel::report::detail
