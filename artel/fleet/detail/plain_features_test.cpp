// A fleet that has nothing that a pool has not.

#include <gtest/gtest.h>

#include <string>

#include "artel/core/error.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {
namespace {

scenario::Scenario scenario_of(const std::string& text) {
  auto scenario = scenario::parse_scenario(text, "s.toml");
  EXPECT_TRUE(scenario) << to_string(scenario.error().front());
  return scenario.value_or(scenario::Scenario{});
}

// Under every policy that a plain pool and a fleet may have.
TEST(PlainFleet, WithAFeatureThatChangesNothingIsAPool) {
  const std::string plain = R"(
dispatch = { policies = ["random", "round_robin", "weighted_round_robin", "jsq",
  { name = "jsq", d = "all" }, "jiq", "least_loaded", { name = "least_loaded", busyness = "delay" },
  { name = "least_loaded", busyness = "work" }, { name = "jsq", busyness = "weighted" },
  "least_work_left", "peak_ewma", "c3", "prequal", { name = "jbt", threshold = 2 },
  "weighted_least_request", { name = "rendezvous", bound = 1.25 }, "maglev", "sita"] }
run = { tasks = 2_000 }
workload.arrivals = { kind = "poisson", load = 0.8 }
workload.service = { distribution = "lognormal", mean = "1s", scv = 4 }
workload.keys = { count = 100 }
pool.workers = 4
)";
  const auto pool = scenario_of(plain);
  ASSERT_TRUE(is_plain(pool));
  for (const std::string feature : {
           "workload.callers = { timeout = '1000h', retries = 3 }",
           "workload.callers = { hedge = '1000h' }",
           "workload.callers.breaker = { failures = 1, tries = 1e6, open = '1s' }",
           "workload.patience = '1000h'",
           "workload.deadline = '1000h'",
           "workload.classes = [{ name = 'all', share = 1, priority = 1 }]",
           "pool.start_up = '0s'",
           "pool.failures = { task = 'lose', outages = [{ at = '1000h', lasts = '1s' }] }",
           "pool.speed_states = [{ speed = 1, mean_duration = '1s' }]",
           "pool.admission = { policy = 'aimd', target = '1000h', min = 1e6 }",
           "pool.scaling = { policy = 'hpa', min = 4, max = 4 }",
           "pool.batch = { most = 1, per_work = 1 }",
       }) {
    const auto fleet = scenario_of(plain + feature + "\n");
    ASSERT_FALSE(is_plain(fleet));
    for (const auto& policy : pool.dispatch.policies) {
      const auto expected = run_replication(pool, policy, {}).value_or(Replication{});
      const auto found = run_replication(fleet, policy, {}).value_or(Replication{});
      EXPECT_EQ(found.response, expected.response) << feature << ' ' << policy.label;
      EXPECT_EQ(found.beyond, expected.beyond) << feature << ' ' << policy.label;
      EXPECT_GT(found.response.mean, 1);
    }
  }
}

}  // namespace
}  // namespace artel::fleet::detail
