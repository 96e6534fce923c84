#include "artel/plan/add_usual_policies.hpp"

#include <gtest/gtest.h>

#include <string>

#include "artel/plan/plan.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/plan/settings_to_paste.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/objective.hpp"

namespace artel::plan {
namespace {

TEST(AddUsualPolicies, EveryBalancerHasOneOfThem) {
  auto scenario = scenario::parse_scenario(R"(
[workload]
arrivals = { kind = "poisson", rate = 1 }
service = { distribution = "exponential", mean = "1 s" }
[dispatch]
policies = ["central"]
[run]
tasks = 500
[pool]
workers = 2
)",
                                           "usual.toml");
  ASSERT_TRUE(scenario);
  ASSERT_TRUE(add_usual_policies(*scenario));
  PlanOptions options;
  options.slo = {{.name = "mean_wait",
                  .quantity = scenario::Quantity::wait,
                  .statistic = scenario::Statistic::mean,
                  .limit = 2}};
  const auto plan = plan::plan(*scenario, options);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->rows.size(), 6U);
  for (const auto* const system : {"nginx", "envoy", "haproxy", "ray-serve", "celery"}) {
    const auto text = settings_to_paste(*plan, system);
    ASSERT_TRUE(text) << system;
    EXPECT_EQ(text->find("Nothing to set"), std::string::npos) << *text;
  }
}

}  // namespace
}  // namespace artel::plan
