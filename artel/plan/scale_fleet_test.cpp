#include "artel/plan/scale_fleet.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "artel/core/error.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/plan/compared_fleets.hpp"
#include "artel/plan/plan.hpp"
#include "artel/plan/plan_request.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/plan/settings_to_paste.hpp"
#include "artel/scaling/hpa.hpp"
#include "artel/scaling/predictive.hpp"
#include "artel/scaling/scaling_policy.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::plan {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

scenario::Scenario two_workers() {
  auto scenario = scenario::parse_scenario(R"(
[workload]
arrivals = { kind = "poisson", rate = 5 }
service  = { distribution = "exponential", mean = "100ms" }
[dispatch]
policies = ["central"]
[run]
tasks = 2000
[pool]
workers = 2
)",
                                           "two.toml");
  EXPECT_TRUE(scenario) << to_string(scenario.error().front());
  return *std::move(scenario);
}

std::string refusal(std::string_view text) {
  auto scenario = two_workers();
  const auto done = scale_fleet(scenario, text, 64);
  return done ? "none" : done.error().what;
}

TEST(ScaleFleet, TakesThePolicyWithItsKeys) {
  auto scenario = two_workers();
  const auto done =
      scale_fleet(scenario, "hpa(target=0.6, min = 3,max=30, start_up=40s, metric=in_system)", 64);
  ASSERT_TRUE(done) << done.error().what;
  const auto scaling = scenario.pool.scaling.value_or(scenario::ScalingSettings{});
  ASSERT_TRUE(std::holds_alternative<scaling::Hpa>(scaling.policy));
  EXPECT_DOUBLE_EQ(std::get<scaling::Hpa>(scaling.policy).target, 0.6);
  EXPECT_EQ(std::get<scaling::Hpa>(scaling.policy).metric, scaling::ScalingMetric::in_system);
  EXPECT_EQ(scaling.limits.min, 3U);
  EXPECT_EQ(scaling.limits.max, 30U);
  EXPECT_DOUBLE_EQ(scaling.start_up.mean(), 40);
  EXPECT_EQ(scenario.pool.speeds.size(), 3U);  // as many as there must be
}

TEST(ScaleFleet, TablesAndDefaults) {
  auto scenario = two_workers();
  ASSERT_TRUE(scale_fleet(
      scenario, "timetable(entries=[{from=\"8h\", workers=12}, {from=\"20h\", workers=2}])", 64));
  EXPECT_EQ(scenario.pool.scaling.value_or(scenario::ScalingSettings{}).limits.max, 64U);
  ASSERT_TRUE(scale_fleet(scenario, "keda", 64));
}

TEST(ScaleFleet, WhatIsScaledIsSimulatedAndPasted) {
  auto scenario = two_workers();
  ASSERT_TRUE(scale_fleet(scenario, "hpa(target=0.6, min=1, max=9)", 64));
  PlanOptions options;
  options.slo = {{.name = "p99_response",
                  .quantity = scenario::Quantity::response,
                  .statistic = scenario::Statistic::p99,
                  .limit = 5}};
  const auto found = plan(scenario, options);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->scaled.size(), 1U);
  EXPECT_EQ(found->scaled.front().name, "hpa");
  const auto text = settings_to_paste(*found, "kubernetes-hpa");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("maxReplicas: 9"));
  EXPECT_THAT(*text, HasSubstr("Scaled it has "));
}

TEST(ScaleFleet, SeveralFleetsAreComparedWithOneSize) {
  auto scenario = two_workers();
  PlanOptions options;
  const auto asked =
      apply({.slo = {"p99<5s"}, .scaling = {"hpa(target=0.6, max=9)", "predictive(min=4, max=9)"}},
            scenario, options);
  ASSERT_TRUE(asked) << asked.error().what;
  EXPECT_EQ(scenario.pool.speeds.size(), 2U);
  const auto found = plan(scenario, options);
  ASSERT_TRUE(found);
  const auto fleets = compared_fleets(*found);
  ASSERT_EQ(fleets.size(), 3U);
  EXPECT_EQ(fleets[0].scaling, "");
  EXPECT_EQ(fleets[0].workers, found->rows.at(0).smallest);
  EXPECT_EQ(fleets[0].size, "1 worker");
  EXPECT_EQ(fleets[1].size, "1 to 9 workers (hpa(target=0.6, max=9))");
  EXPECT_GE(fleets[2].workers, 4);
  EXPECT_DOUBLE_EQ(fleets[2].worker_hours_per_day(), 24 * fleets[2].workers);
  EXPECT_GT(fleets[1].result->tasks(), 0U);
}

TEST(ScaleFleet, TheScenariosOwnPolicyIsTheFirst) {
  auto scenario = two_workers();
  ASSERT_TRUE(scale_fleet(scenario, "hpa(max=9)", 64));
  PlanOptions options;
  ASSERT_TRUE(apply({.scaling = {"keda(max=5)"}}, scenario, options));
  ASSERT_EQ(options.fleets.size(), 2U);
  EXPECT_EQ(options.fleets[0].name, "hpa");
  EXPECT_EQ(options.fleets[0].scaling.limits.max, 9U);
  EXPECT_EQ(options.fleets[1].name, "keda(max=5)");
  EXPECT_EQ(scenario.pool.scaling.value_or(scenario::ScalingSettings{}).limits.max, 9U);
}

TEST(ScaleFleet, RefusesWhatAScenarioWouldRefuse) {
  auto scenario = two_workers();
  scenario.dispatch.dispatchers = 2;
  EXPECT_THAT(scale_fleet(scenario, "hpa", 64).error().what, HasSubstr("dispatch.dispatchers"));
  scenario = two_workers();
  scenario.pool.queue_bounds = {1, 2};
  EXPECT_THAT(scale_fleet(scenario, "hpa", 64).error().what, HasSubstr("queue_bound"));
  scenario = two_workers();
  scenario.pool.worker.failures.emplace().outages.emplace_back();
  EXPECT_THAT(scale_fleet(scenario, "hpa", 64).error().what, HasSubstr("outages"));
  EXPECT_FALSE(scenario.pool.scaling);  // as it was
  scenario = two_workers();
  scenario.dispatch.policies.front().policy = dispatch::ClosedLoop{};
  EXPECT_THAT(scale_fleet(scenario, "hpa", 64).error().what,
              HasSubstr("closed_loop does not go with pool.scaling"));
}

TEST(ScaleFleet, PredictsForWorkersWithSlots) {
  auto scenario = two_workers();
  scenario.pool.worker.slots = 3;
  ASSERT_TRUE(scale_fleet(scenario, "predictive", 64));
  const auto scaling = scenario.pool.scaling.value_or(scenario::ScalingSettings{});
  EXPECT_EQ(std::get<scaling::Predictive>(scaling.policy).slots, 3U);
}

TEST(ScaleFleet, SaysWhatIsWrong) {
  EXPECT_THAT(refusal("hpa(target=0.6"), HasSubstr("allowed: a policy with its keys"));
  EXPECT_THAT(refusal("hpa(0.6)"), HasSubstr("found '0.6', allowed: key=value"));
  EXPECT_THAT(refusal("hpe"), HasSubstr("hpa"));
  EXPECT_THAT(refusal("hpa(targt=1)"), HasSubstr("target"));
  EXPECT_THAT(refusal("hpa(min=9,max=3)"), HasSubstr("3"));
  auto scenario = two_workers();
  scenario.pool.speeds = {1, 2};
  EXPECT_FALSE(scale_fleet(scenario, "hpa", 64));
}

}  // namespace
}  // namespace artel::plan
