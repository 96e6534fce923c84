#include "artel/arena/costs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::arena {
namespace {

using ::testing::ElementsAre;

scenario::Scenario with_slo(const std::string& slo) {
  auto scenario = scenario::parse_scenario(R"(
[workload]
arrivals = { kind = "poisson", load = 0.5 }
service  = { distribution = "exponential", mean = "1 s" }
classes  = [
  { name = "small", share = 0.5, slo = { mean_response = "1 s" } },
  { name = "large", share = 0.5 },
]
[pool]
workers = 2
[dispatch]
policies = ["random"]
)" + slo,
                                           "slo.toml");
  EXPECT_TRUE(scenario) << to_string(scenario.error().front());
  return *std::move(scenario);
}

// Mean response of all and of the small ones, p99, share that was rejected.
fleet::Replication measured(double mean, double small, double p99, double rejected) {
  fleet::Replication replication;
  replication.arrived = replication.completed = 10;
  replication.response.mean = mean;
  replication.response.p99 = p99;
  replication.rejected_share = rejected;
  replication.classes.resize(2);
  replication.classes[0].arrived = replication.classes[0].completed = 5;
  replication.classes[0].response.mean = small;
  return replication;
}

TEST(Costs, WithoutObjectivesTheMeanResponse) {
  auto scenario = with_slo("");
  scenario.slo.clear();
  const experiment::PolicyResult policy{
      .label = "", .replications = {measured(2, 1, 9, 0), measured(3, 1, 9, 0)}};
  EXPECT_THAT(costs(scenario, policy), ElementsAre(2, 3));
  EXPECT_EQ(costs_text(scenario), "mean_response");
}

TEST(Costs, TheObjectiveThatIsUsedMostCounts) {
  const auto scenario = with_slo("[slo]\np99_response = \"4 s\"\nrejected = 0.02\n");
  const experiment::PolicyResult policy{
      .label = "",
      .replications = {measured(1, 0.5, 8, 0), measured(1, 0.5, 1, 0.08), measured(1, 3, 1, 0)}};
  EXPECT_THAT(costs(scenario, policy), ElementsAre(2, 4, 3));
  EXPECT_EQ(costs_text(scenario),
            "p99_response <= 4.00 s, rejected <= 2%, small mean_response <= 1.00 s");
}

TEST(Costs, WhoAnswersNobodyIsNotFast) {
  const auto scenario = with_slo("[slo]\np99_response = \"4 s\"\n");
  auto silent = measured(0, 0.5, 0, 1);
  silent.completed = 0;
  const experiment::PolicyResult policy{.label = "", .replications = {silent}};
  EXPECT_TRUE(std::isinf(costs(scenario, policy).front()));
}

}  // namespace
}  // namespace artel::arena
