// What threads that pull do, in the records of what happened.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/least_work_left.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/random.hpp"
#include "artel/dispatch/round_robin.hpp"
#include "artel/dispatch/sita.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/fleet/replay_tasks.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/scenario/workload_trace.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/scenario/timed_tasks.hpp"

namespace artel::fleet::detail {
namespace {

using dispatch::Stealing;
using std::chrono::seconds;
using testing::ElementsAre;
using Records = std::vector<trace::TaskRecord>;

// Tasks of so many seconds come one every second.
scenario::Scenario tasks(const std::vector<int>& sizes, std::size_t workers, std::uint32_t bound) {
  scenario::Scenario scenario;
  std::vector<Duration> durations;
  durations.reserve(sizes.size());
  for (const int size : sizes) durations.push_back(seconds(size));
  come_every(seconds(1), std::move(durations), scenario.workload);
  scenario.pool.speeds.assign(workers, 1.0);
  scenario.pool.queue_bounds.assign(workers, bound);
  return scenario;
}

Records recorded(const scenario::Scenario& scenario, dispatch::Policy policy) {
  scenario::PolicySpec spec;
  spec.policy = std::move(policy);
  return replay_tasks(scenario, spec, 0, {}).value_or(Records{});
}

std::vector<Instant> starts(const Records& records) {
  std::vector<Instant> all;
  all.reserve(records.size());
  for (const auto& record : records) all.push_back(record.started);
  return all;
}

// In seconds.
std::vector<int> start_seconds(const Records& records) {
  std::vector<int> all;
  for (const auto start : starts(records))
    all.push_back(static_cast<int>(to_seconds(start.time_since_epoch())));
  return all;
}

std::vector<std::size_t> workers_of(const Records& records) {
  std::vector<std::size_t> all;
  all.reserve(records.size());
  for (const auto& record : records) all.push_back(index(record.worker));
  return all;
}

TEST(PullingWorkers, TakeOverWhatHasWaitedLongest) {
  // Round robin would leave worker 2 idle.
  auto scenario = tasks({100, 100, 10, 10, 10, 10, 10, 10}, 3, 9);
  scenario.pool.take_over = true;
  const auto records = recorded(scenario, dispatch::RoundRobin{});
  EXPECT_THAT(start_seconds(records), ElementsAre(0, 1, 2, 22, 32, 12, 42, 52));
  EXPECT_THAT(workers_of(records), ElementsAre(0, 1, 2, 2, 2, 2, 2, 2));
}

TEST(PullingWorkers, TakeOverATaskThatWouldGoToABusyOne) {
  auto scenario = tasks({10, 10}, 2, 9);
  scenario.pool.take_over = true;
  // Both are small.
  const auto records = recorded(scenario, dispatch::Sita{.cutoffs = {seconds(50)}});
  EXPECT_THAT(start_seconds(records), ElementsAre(0, 1));
}

TEST(PullingWorkers, StealHalfOfWhatWaitsAtTheNextOne) {
  std::vector<int> sizes(15, 1000);
  for (std::size_t i = 2; i < sizes.size(); i += 3) sizes[i] = 10;
  auto scenario = tasks(sizes, 3, 9);
  scenario.pool.stealing = Stealing::before_held;
  const auto records = recorded(scenario, dispatch::RoundRobin{});
  // Worker 2 has served its own by 52; of 3, 6, 9 and 12, at worker 0, it takes two.
  EXPECT_EQ(records[3].worker, WorkerId{2});
  EXPECT_EQ(records[3].started, Instant{seconds(52)});
  EXPECT_EQ(records[6].worker, WorkerId{2});
  EXPECT_EQ(records[6].started, Instant{seconds(1052)});
  EXPECT_EQ(records[9].worker, WorkerId{0});
  EXPECT_EQ(records[9].started, Instant{seconds(1000)});
}

TEST(PullingWorkers, LeaveTheCommonQueueAsItIsUntilTheyRunOut) {
  auto scenario = tasks({10, 1000, 10, 1000, 10, 10, 10, 10}, 2, 2);
  scenario.pool.stealing = Stealing::after_held;
  const auto records = recorded(scenario, dispatch::RoundRobin{});
  // Worker 0 has room from 10 on, and runs out at 20: then it takes two, 40 two more.
  EXPECT_EQ(records[4].bound, Instant{seconds(20)});
  EXPECT_EQ(records[5].bound, Instant{seconds(20)});
  EXPECT_EQ(records[7].bound, Instant{seconds(40)});
  EXPECT_THAT(start_seconds(records), ElementsAre(0, 1, 10, 60, 20, 30, 40, 50));
  EXPECT_EQ(records[4].queued_common, 0U);
  EXPECT_EQ(records[6].queued_common, 2U);
}

TEST(PullingWorkers, StealBeforeTheyLookAtTheCommonQueueToKeepTheOrder) {
  auto scenario = tasks({10, 1000, 10, 10, 10, 10}, 2, 2);
  scenario.pool.stealing = Stealing::before_held;
  EXPECT_THAT(start_seconds(recorded(scenario, dispatch::RoundRobin{})),
              ElementsAre(0, 1, 10, 20, 30, 40));
}

TEST(PullingWorkers, WakeAnIdleOneForATaskThatWaits) {
  // All small ones go to worker 0.
  auto scenario = tasks({10, 10, 10}, 2, 9);
  scenario.pool.stealing = Stealing::after_held;
  scenario.pool.wake_ups = {seconds(2)};
  const auto records = recorded(scenario, dispatch::Sita{.cutoffs = {seconds(50)}});
  EXPECT_THAT(start_seconds(records), ElementsAre(2, 3, 12));
  EXPECT_THAT(workers_of(records), ElementsAre(0, 1, 0));
}

TEST(PullingWorkers, LoseTimeOnlyBetweenTasks) {
  auto scenario = tasks({10, 10}, 1, 9);
  scenario.pool.stealing = Stealing::after_held;
  scenario.pool.task_overhead = seconds(3);
  EXPECT_THAT(start_seconds(recorded(scenario, dispatch::Random{})), ElementsAre(0, 13));
}

TEST(PullingWorkers, TakeUrgentTasksBeforeAllOthersAndPatientOnesAfter) {
  constexpr std::uint16_t kFirst = 0;
  constexpr std::uint16_t kUsual = 1;
  constexpr std::uint16_t kLast = 2;
  auto scenario = tasks(std::vector<int>(9, 100), 1, 2);
  scenario.workload.classes = {{.name = "first", .priority = 7},
                               {.name = "usual", .priority = 0},
                               {.name = "last", .priority = -7}};
  auto rows = std::make_shared<scenario::WorkloadTrace>(*scenario.workload.trace);
  rows->classes = {kUsual, kUsual, kUsual, kUsual, kUsual, kFirst, kFirst, kFirst, kLast};
  scenario.workload.trace = rows;
  scenario.pool.stealing = Stealing::after_held;
  scenario.pool.common_bound = 2;  // of each kind
  const auto records = recorded(scenario, dispatch::Random{});
  for (const std::size_t refused : {4U, 7U})
    EXPECT_EQ(records[refused].outcome, trace::TaskOutcome::rejected);
  EXPECT_THAT(start_seconds(records), ElementsAre(0, 300, 400, 500, 4, 100, 200, 7, 600));
  EXPECT_EQ(records[5].priority, 0);
  EXPECT_EQ(records[8].priority, 2);
}

TEST(PullingWorkers, ThrowATaskAwayAtItsTurn) {
  auto scenario = tasks({10, 10, 10, 10}, 1, 9);
  scenario.workload.patience = *random::Distribution::constant(8.5);
  scenario.pool.stealing = Stealing::after_held;
  const auto records = recorded(scenario, dispatch::Random{});
  // Whom 1 and 2 would have waited for until 9.5 and 10.5: the second is served at 10.
  EXPECT_EQ(records[1].outcome, trace::TaskOutcome::expired);
  EXPECT_EQ(records[1].finished, Instant{seconds(10)});
  EXPECT_EQ(records[2].started, Instant{seconds(10)});
  EXPECT_EQ(records[3].outcome, trace::TaskOutcome::expired);
  EXPECT_EQ(records[3].finished, Instant{seconds(20)});
}

// ---- Laws

// Tasks that come at most 29 ns after one another, of sizes of so many ns.
scenario::Scenario any_tasks(std::uint32_t bound, int least_ns, int most_ns) {
  scenario::Scenario scenario;
  auto rows = std::make_shared<scenario::WorkloadTrace>();
  Instant now{};
  for (const int gap : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 30))) {
    rows->arrivals.push_back(now += Duration{gap});
    rows->services.push_back(Duration{*rc::gen::inRange(least_ns, most_ns + 1)});
  }
  if (rows->arrivals.empty()) {
    rows->arrivals.push_back(now);
    rows->services.push_back(Duration{least_ns});
  }
  scenario.workload.trace = std::move(rows);
  scenario.workload.arrivals = scenario::TraceArrivals{};
  scenario.workload.service = scenario::TraceService{};
  const auto workers = *rc::gen::inRange<std::size_t>(1, 6);
  scenario.pool.speeds.assign(workers, 1.0);
  scenario.pool.queue_bounds.assign(workers, bound);
  return scenario;
}

scenario::Scenario central(scenario::Scenario scenario) {
  scenario.pool.queue_bounds.assign(scenario.pool.speeds.size(), 1);
  scenario.pool.take_over = false;
  return scenario;
}

RC_GTEST_PROP(LeastWorkLeft, StartsEveryTaskWhenOneCentralQueueWould, ()) {
  const auto scenario = any_tasks(dispatch::kUnbounded, 1, 90);
  RC_ASSERT(starts(recorded(scenario, dispatch::LeastWorkLeft{})) ==
            starts(recorded(central(scenario), dispatch::LeastLoaded{})));
}

RC_GTEST_PROP(RoundRobin, EqualsLeastWorkLeftForConstantSizes, ()) {
  const auto scenario = any_tasks(dispatch::kUnbounded, 60, 60);
  RC_ASSERT(starts(recorded(scenario, dispatch::RoundRobin{})) ==
            starts(recorded(scenario, dispatch::LeastWorkLeft{})));
}

// With tasks of one size, some task then starts whenever one would start in a central queue.
RC_GTEST_PROP(PullingWorkers, ThatTakeOverAreNeverIdleWhileTasksWait, ()) {
  auto scenario = any_tasks(dispatch::kUnbounded, 60, 60);
  scenario.pool.take_over = true;
  auto found = starts(recorded(scenario, dispatch::Random{}));
  std::ranges::sort(found);
  RC_ASSERT(found == starts(recorded(central(scenario), dispatch::LeastLoaded{})));
}

}  // namespace
}  // namespace artel::fleet::detail
