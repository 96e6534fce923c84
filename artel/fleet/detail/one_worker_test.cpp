// A fleet of one worker: whether tasks wait at it or in the common queue makes no difference.

#include <gtest/gtest.h>

#include <string>

#include "artel/core/error.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {
namespace {

TEST(OneWorker, ServesTheSameFromItsOwnQueueAndTheCommonOne) {
  for (const std::string feature : {
           "pool.slots = 3",
           "pool.discipline = 'sjf'",
           "pool.discipline = 'lifo'",
           "pool.start_up = '1s'",
           "pool.start_up = '1s'\npool.keep_warm = '500ms'",
           "pool.start_up = '500ms'\npool.slow_start = { time = '2s', speed = 0.5 }",
           "pool.failures = { mtbf = '30s', mttr = '5s', task = 'lose' }",
           "pool.failures = { mtbf = '30s', mttr = '5s', task = 'restart' }",
           R"(pool.speed_states = [{ speed = 2, mean_duration = '10s' },
                                 { speed = 0.8, mean_duration = '10s' }])",
           "workload.patience = { distribution = 'exponential', mean = '3s' }",
           "workload.callers = { timeout = '3s', retries = 2, backoff = '0s', cancel = 'all' }",
           "pool.admission = { policy = 'aimd', target = '2s', min = 1, max = 20 }",
           "pool.batch = { most = 4, fixed = '200ms', per_work = 0.5 }",
           "pool.batch = { most = 4, fixed = '200ms', per_work = 0.5 }\npool.start_up = '1s'",
           "pool.batch = { most = 4, step = '100ms', fixed = '50ms', per_task = '20ms' }",
           R"(pool.batch = { most = 2, step = '100ms', fixed = '20ms', memory = '3s' }
              pool.failures = { mtbf = '30s', mttr = '5s', task = 'lose' })",
       }) {
    const auto scenario = scenario::parse_scenario(R"(
workload.arrivals = { kind = "poisson", rate = 0.7 }
workload.service = { distribution = "lognormal", mean = "1s", scv = 1.5 }
pool.workers = 1
dispatch.policies = ["central", "round_robin"]
run.tasks = 2_000
)" + feature,
                                                   "s.toml");
    ASSERT_TRUE(scenario) << to_string(scenario.error().front());
    const auto& policies = scenario->dispatch.policies;
    const auto common = run_replication(*scenario, policies[0], {}).value_or(Replication{});
    const auto own = run_replication(*scenario, policies[1], {}).value_or(Replication{});
    constexpr double kRounded = 1e-6;  // of whole nanoseconds
    EXPECT_NEAR(common.response.mean, own.response.mean, kRounded) << feature;
    EXPECT_NEAR(common.response.max, own.response.max, kRounded) << feature;
    EXPECT_NEAR(common.wait.mean, own.wait.mean, kRounded) << feature;
    EXPECT_NEAR(common.utilisation, own.utilisation, kRounded) << feature;
    EXPECT_EQ(common.attempts, own.attempts) << feature;
    EXPECT_GT(own.wait_probability, 0) << feature;
  }
}

}  // namespace
}  // namespace artel::fleet::detail
