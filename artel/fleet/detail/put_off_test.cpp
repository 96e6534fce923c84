// What happens at the same time, in the order that no table has to be asked for: who ends goes
// before who comes.

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"
#include "tests/scenario/timed_tasks.hpp"

namespace artel::fleet::detail {
namespace {

using namespace std::chrono_literals;

// Tasks that come every `gap`, with all else as the file has it.
scenario::Scenario tasks_of(Duration gap, std::vector<Duration> sizes, const std::string& pool,
                            const std::string& policies = "'least_loaded'") {
  auto scenario = scenario::parse_scenario(R"(
workload.arrivals = { kind = "poisson", load = 0.8 }
workload.service = { distribution = "exponential", mean = "1s" }
dispatch.policies = [)" + policies + "]\n" + pool,
                                           "s.toml");
  EXPECT_TRUE(scenario) << to_string(scenario.error().front());
  if (!scenario) return {};
  come_every(gap, std::move(sizes), scenario->workload);
  scenario->run.tasks.reset();
  return *scenario;
}

Replication run(const scenario::Scenario& scenario, std::size_t policy = 0) {
  return run_replication(scenario, scenario.dispatch.policies[policy], {}).value_or(Replication{});
}

constexpr auto kPlain = "pool = { workers = 1, queue_bound = 1, common_bound = 0 }\n";
constexpr auto kFleet =
    "pool = { workers = 1, queue_bound = 1, common_bound = 0, start_up = '0s' }\n";

TEST(PutOff, WhoComesWhenAnotherEndsFindsRoom) {
  for (const std::string pool : {kPlain, kFleet}) {
    const auto found = run(tasks_of(1s, std::vector<Duration>(20, 1s), pool));
    EXPECT_EQ(found.rejected, 0U) << pool;
    EXPECT_DOUBLE_EQ(found.response.max, 1) << pool;
    // The second waits until 2 s, and ends at 3 s, when the fourth comes.
    const auto late = run(tasks_of(500ms, {1s, 1s, 1s, 1s, 1s}, pool));
    EXPECT_EQ(late.rejected, 2U) << pool;
  }
}

TEST(PutOff, AnAnswerAtTheTimeOutIsInTime) {
  const auto pool = std::string("pool.workers = 1\n");
  const std::vector<Duration> sizes(20, 1s);
  const auto timed =
      run(tasks_of(1s, sizes, pool + "workload.callers = { timeout = '1s', retries = 2 }\n"));
  EXPECT_EQ(timed.completed, 20U);
  EXPECT_EQ(timed.attempts, 20U);
  const auto hedged = run(tasks_of(1s, sizes, pool + "workload.callers = { hedge = '1s' }\n"));
  EXPECT_EQ(hedged.attempts, 20U);
}

TEST(PutOff, WhoseTurnComesAsPatienceEndsIsServed) {
  const auto found =
      run(tasks_of(1s, {2s, 1s, 1s, 1s}, "pool.workers = 1\nworkload.patience = 1\n"));
  EXPECT_EQ(found.abandoned, 0U);
  EXPECT_DOUBLE_EQ(found.wait.max, 1);
}

// With many that end and come at the same times.
TEST(PutOff, IsTheSameInThePoolAndInTheFleet) {
  std::vector<Duration> sizes;
  for (int i = 0; i < 400; ++i) sizes.push_back(500ms * (1 + i * i % 7));
  const std::string policies = R"("round_robin", "jiq", "least_loaded", "least_work_left",
  { name = "jsq", d = 2 }, "peak_ewma", "random")";
  for (const std::string pool : {"workers = 4", "workers = 4, queue_bound = 2",
                                 "workers = 3, queue_bound = 2, common_bound = 2"}) {
    const auto plain = tasks_of(500ms, sizes, "pool = { " + pool + " }\n", policies);
    const auto fleet =
        tasks_of(500ms, sizes, "pool = { " + pool + ", start_up = '0s' }\n", policies);
    ASSERT_TRUE(is_plain(plain) && !is_plain(fleet));
    for (std::size_t p = 0; p < plain.dispatch.policies.size(); ++p) {
      auto expected = run(plain, p);
      auto found = run(fleet, p);
      expected.events = found.events = 0;
      EXPECT_EQ(found, expected) << plain.dispatch.policies[p].label << ", " << pool;
    }
  }
}

}  // namespace
}  // namespace artel::fleet::detail
