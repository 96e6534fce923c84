#include "artel/plan/growth.hpp"

#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/plan/plan.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/parse_slo.hpp"

namespace artel::plan {
namespace {

PlanResult planned(const std::string& arrivals, const std::string& slo) {
  const auto scenario = scenario::parse_scenario(R"(
[workload]
arrivals = )" + arrivals + R"(
service  = { distribution = "exponential", mean = "1 s" }
[dispatch]
policies = ["random", "central"]
[run]
tasks = 4000
replications = 5
[pool]
workers = 4
)",
                                                 "queue.toml", {}, scenario::Overload::allow);
  EXPECT_TRUE(scenario) << to_string(scenario.error().front());
  auto result = plan(*scenario, {.slo = *scenario::parse_slo(slo), .jobs = 2});
  EXPECT_TRUE(result) << to_string(result.error());
  return *std::move(result);
}

constexpr const char* kPoisson = "{ kind = 'poisson', rate = 3 }";

TEST(Growth, ChangesTheLoadOfThePlannedPool) {
  const auto result = planned(kPoisson, "p99_response<9s");
  const auto grown = growth(result, {.jobs = 2});
  ASSERT_EQ(grown.size(), 9U);
  ASSERT_NE(result.best(), nullptr);
  const double workers = result.best()->smallest.value_or(1);
  for (const auto& point : grown) {
    EXPECT_EQ(point.result.label, "central");
    const double load = 3 * point.rate * point.work / workers;
    if (load < 0.95) {
      EXPECT_NEAR(point.result.utilisation().center, load, 0.05 * load) << point.rate;
    }
  }
  // Unchanged, the plan's own trial comes out again.
  EXPECT_EQ(grown[2].rate, 1);
  EXPECT_EQ(grown[2].result.estimate(result.slo.front()).center,
            result.best()
                ->trial(result.best()->smallest.value_or(1))
                ->result.estimate(result.slo.front())
                .center);
  EXPECT_EQ(grown.back().work, 1.05);
}

TEST(Growth, OfAClosedLoopOnlyTheWorkChanges) {
  const auto grown = growth(
      planned(
          "{ kind = 'closed', users = 8, think = { distribution = 'exponential', mean = '2 s' } }",
          "p99_response<9s"),
      {.jobs = 2});
  ASSERT_EQ(grown.size(), 3U);
  for (const auto& point : grown) EXPECT_EQ(point.rate, 1);
}

TEST(Growth, IsEmptyWithoutAnAnswerAndWhenStopped) {
  EXPECT_TRUE(growth(planned(kPoisson, "p50_response<1ms"), {.jobs = 2}).empty());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(
      growth(planned(kPoisson, "p99_response<9s"), {.jobs = 2, .stop = stop.get_token()}).empty());
}

}  // namespace
}  // namespace artel::plan
