#include "artel/plan/plan_request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/plan/plan.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

scenario::Scenario four_workers() {
  auto scenario = scenario::parse_scenario(R"(
[workload]
arrivals = { kind = "poisson", rate = 2 }
service  = { distribution = "exponential", mean = "1 s" }
[dispatch]
policies = ["central", "random"]
[pool]
workers = 4
)",
                                           "four.toml");
  EXPECT_TRUE(scenario) << to_string(scenario.error().front());
  return *std::move(scenario);
}

std::vector<std::string> labels(const scenario::Scenario& scenario) {
  std::vector<std::string> all;
  for (const auto& policy : scenario.dispatch.policies) all.push_back(policy.label);
  return all;
}

TEST(PlanRequest, PutsWhatIsAskedIntoScenarioAndOptions) {
  auto scenario = four_workers();
  PlanOptions options;
  ASSERT_TRUE(apply({.slo = {"p99<5s", "rejected<0.1%"},
                     .policies = {"random", "jsq(d=3)", "random"},
                     .queues = {"4", "inf", "4"},
                     .rate = "x1.5",
                     .price = "0.12/h"},
                    scenario, options));
  EXPECT_THAT(labels(scenario), ElementsAre("random", "jsq(d=3)"));
  EXPECT_EQ(options.slo.size(), 2U);
  EXPECT_THAT(options.queue_bounds, ElementsAre(4U, dispatch::kUnbounded));
  EXPECT_DOUBLE_EQ(scenario.workload.rate, 3);
  EXPECT_DOUBLE_EQ(scenario.price_per_hour.value_or(0), 0.12);
}

TEST(PlanRequest, LeavesWhatIsNotAsked) {
  auto scenario = four_workers();
  PlanOptions options;
  ASSERT_TRUE(apply({}, scenario, options));
  EXPECT_THAT(labels(scenario), ElementsAre("central", "random"));
  EXPECT_TRUE(options.slo.empty());
  EXPECT_FALSE(scenario.price_per_hour);
}

TEST(PlanRequest, ErrorsNameTheOption) {
  const auto where = [](const PlanRequest& request) {
    auto scenario = four_workers();
    PlanOptions options;
    const auto applied = apply(request, scenario, options);
    return applied ? "" : applied.error().where;
  };
  EXPECT_EQ(where({.slo = {"p98<1s"}}), "slo");
  EXPECT_EQ(where({.policies = {"jsk"}}), "policy jsk");
  EXPECT_EQ(where({.queues = {"0"}}), "queue");
  EXPECT_EQ(where({.rate = "2"}), "rate");
  EXPECT_EQ(where({.price = "free"}), "price");
}

TEST(ChangeOfAScenario, ReadsWorkersPolicyAndRate) {
  auto scenario = four_workers();
  ASSERT_TRUE(change(scenario, "workers=7"));
  ASSERT_TRUE(change(scenario, "policy=jsq(d=2)"));
  ASSERT_TRUE(change(scenario, "rate=x2"));
  EXPECT_EQ(scenario.pool.speeds.size(), 7U);
  EXPECT_THAT(labels(scenario), ElementsAre("jsq(d=2)"));
  EXPECT_DOUBLE_EQ(scenario.workload.rate, 4);
}

TEST(ChangeOfAScenario, RefusesOtherWords) {
  auto scenario = four_workers();
  EXPECT_THAT(change(scenario, "worker=7").error().what, HasSubstr("allowed: workers=4"));
  EXPECT_THAT(change(scenario, "workers=0").error().what, HasSubstr("allowed: 1 to 100000"));
  EXPECT_THAT(change(scenario, "workers").error().what, HasSubstr("found 'workers'"));
  EXPECT_THAT(change(scenario, "policy=jsk").error().what, HasSubstr("unknown policy"));
}

}  // namespace
}  // namespace artel::plan
