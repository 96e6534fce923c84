#include "artel/fleet/observe_tasks.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/observation.hpp"
#include "artel/fleet/replay_tasks.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/fleet/time_series.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::fleet {
namespace {

using trace::TaskOutcome;
using trace::TaskRecord;

Instant at(std::int64_t ns) { return Instant{Duration{100 + ns}}; }  // the run begins at 100

TaskRecord task(std::int64_t submitted, std::int64_t started, std::int64_t finished,
                std::uint32_t worker) {
  return {.submitted = at(submitted),
          .bound = at(submitted),
          .started = at(started),
          .finished = at(finished),
          .worker = WorkerId{worker}};
}

TEST(ObservedTasks, FollowsArrivalsServiceAndWorkers) {
  const std::vector<TaskRecord> tasks{task(0, 0, 2, 1), task(1, 2, 4, 1)};
  const auto seen = observe_tasks(tasks, 2, at(0));
  EXPECT_EQ(seen.in_system().means(), (std::vector<double>{1, 2, 1, 1}));
  EXPECT_EQ(seen.busy().means(), (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(seen.rows()[1].means(), (std::vector<double>{1, 2, 1, 1}));
  EXPECT_EQ(seen.peak_in_system(), 2);
}

TEST(ObservedTasks, AWorkerFinishesBeforeItStartsTheNext) {
  // The task that starts at 2 comes first in the trace.
  const std::vector<TaskRecord> tasks{task(0, 2, 4, 0), task(1, 1, 2, 0)};
  const auto seen =
      observe_tasks(tasks, 1, at(0), TimeWindow{.from = {}, .to = Instant{Duration{9}}});
  ASSERT_EQ(seen.tasks().size(), 2U);
  EXPECT_EQ(seen.tasks()[0].start, Instant{Duration{1}});
  EXPECT_EQ(seen.tasks()[0].end, Instant{Duration{2}});
  EXPECT_EQ(seen.tasks()[1].start, Instant{Duration{2}});
  EXPECT_EQ(seen.tasks()[1].arrival, Instant{});
  EXPECT_EQ(seen.peak_in_system(), 2);
}

TEST(ObservedTasks, TasksThatNeverRanOnlyWait) {
  auto cancelled = task(0, 3, 3, 0);
  cancelled.outcome = TaskOutcome::cancelled;
  auto elsewhere = task(0, 1, 3, 0);
  elsewhere.worker = TaskRecord::kNobody;
  const std::vector<TaskRecord> tasks{cancelled, elsewhere};
  const auto seen = observe_tasks(tasks, 1, at(0));
  EXPECT_EQ(seen.in_system().means(), (std::vector<double>{2, 2, 2}));
  EXPECT_EQ(seen.busy().means(), (std::vector<double>{0, 0, 0}));
}

TEST(ObservedTasks, ATaskThatTakesNoTimeIsThere) {
  const std::vector<TaskRecord> tasks{task(0, 0, 4, 0), task(2, 2, 2, 1)};
  const auto seen =
      observe_tasks(tasks, 2, at(0), TimeWindow{.from = {}, .to = Instant{Duration{9}}});
  EXPECT_EQ(seen.tasks().size(), 2U);
  EXPECT_EQ(seen.busy().value(), 0);
}

TEST(ObservedTasks, SeesWhatTheSimulationSaw) {
  const auto scenario = scenario::parse_scenario(R"(
[workload]
arrivals = { kind = "poisson", load = 0.8 }
service  = { distribution = "exponential", mean = "1 s" }
[pool]
workers = 3
[dispatch]
policies = ["round_robin"]
[run]
tasks = 500
)",
                                                 "tasks.toml");
  ASSERT_TRUE(scenario);
  const auto& policy = scenario->dispatch.policies.front();
  Observation live(3);
  ASSERT_TRUE(run_replication(*scenario, policy, {.observation = &live}));
  const auto records = replay_tasks(*scenario, policy).value_or(std::vector<TaskRecord>{});
  const auto seen = observe_tasks(records, 3, Instant{});
  EXPECT_EQ(seen.in_system().means(), live.in_system().means());
  EXPECT_EQ(seen.busy().means(), live.busy().means());
  for (std::size_t w = 0; w < 3; ++w) EXPECT_EQ(seen.rows()[w].means(), live.rows()[w].means());
}

}  // namespace
}  // namespace artel::fleet
