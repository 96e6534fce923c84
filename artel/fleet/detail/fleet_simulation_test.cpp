#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/rendezvous.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/dispatch_settings.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/scenario/workload_trace.hpp"
#include "tests/scenario/timed_tasks.hpp"

namespace artel::fleet::detail {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kTasks = 5'000;

// Exponential services of mean 1 s.
scenario::Scenario poisson(double load, std::size_t workers) {
  scenario::Scenario scenario;
  const double rate = load * static_cast<double>(workers);
  scenario.workload.arrivals = scenario::PoissonArrivals{.rate = rate};
  scenario.workload.service = *random::Distribution::exponential(1);
  scenario.workload.mean_service_s = 1;
  scenario.pool.speeds.assign(workers, 1.0);
  scenario.pool.queue_bounds.assign(workers, dispatch::kUnbounded);
  scenario.run.tasks = kTasks;
  return scenario;
}

Replication run(const scenario::Scenario& scenario, dispatch::Policy policy) {
  scenario::PolicySpec spec;
  spec.policy = std::move(policy);
  return run_replication(scenario, spec, {}).value_or(Replication{});
}

// Asks for a fleet, though nothing is different: workers start up in no time.
scenario::Scenario as_fleet(scenario::Scenario scenario) {
  scenario.pool.worker.start_up = scenario::StartUpSettings{};
  return scenario;
}

void expect_same(const scenario::Scenario& scenario, const dispatch::Policy& policy,
                 const std::string& what) {
  auto pool = run(scenario, policy);
  auto fleet = run(as_fleet(scenario), policy);
  pool.events = fleet.events = 0;
  EXPECT_EQ(pool, fleet) << what;
  EXPECT_GT(pool.response.mean, 1) << what;
}

TEST(FleetSimulation, HasThePoolsBoundsDispatchersAndForks) {
  auto central = poisson(0.9, 4);
  central.pool.queue_bounds.assign(4, 1);
  expect_same(central, dispatch::LeastLoaded{}, "central queue");
  central.pool.common_bound = 3;
  expect_same(central, dispatch::LeastLoaded{}, "it rejects");
  expect_same(central, dispatch::LeastWorkLeft{}, "and knows its work");
  auto several = poisson(0.8, 4);
  several.dispatch.dispatchers = 3;
  several.dispatch.network_delay = 100ms;
  expect_same(several, dispatch::Jsq{.d = 2}, "dispatchers");
  several.dispatch.view = scenario::DispatcherView::own;
  expect_same(several, dispatch::LeastLoaded{}, "own views");
  several.dispatch.view = scenario::DispatcherView::shared;
  several.dispatch.staleness = 2s;
  expect_same(several, dispatch::Jsq{.d = 2}, "stale");
  several.dispatch.network_delay = Duration::zero();
  expect_same(several, dispatch::LeastWorkLeft{}, "stale work");
  auto forks = poisson(0.8, 4);
  forks.workload.fork = 3;
  forks.workload.arrivals = scenario::PoissonArrivals{.rate = 1};
  expect_same(forks, dispatch::RoundRobin{}, "forks");
}

TEST(FleetSimulation, HasThePoolsSpeeds) {
  auto scenario = poisson(0.5, 2);
  scenario.pool.speeds = {2, 0.5};
  for (const auto& policy : {dispatch::Policy{dispatch::Random{}}, {dispatch::LeastWorkLeft{}}}) {
    const auto pool = run(scenario, policy);
    const auto fleet = run(as_fleet(scenario), policy);
    EXPECT_NEAR(fleet.response.mean, pool.response.mean, 1e-6);  // a pool rounds to nanoseconds
    EXPECT_NEAR(fleet.utilisation, pool.utilisation, 1e-6);
  }
}

TEST(FleetSimulation, SlotsTakeRoomInQueueAndUtilisation) {
  auto central = poisson(0.8, 2);
  central.workload.arrivals = scenario::PoissonArrivals{.rate = 6.4};
  central.pool.queue_bounds.assign(2, 1);
  central.pool.worker.slots = 4;
  auto eight = poisson(0.8, 8);
  eight.pool.queue_bounds.assign(8, 1);
  const auto slots = run(central, dispatch::LeastLoaded{});
  const auto workers = run(eight, dispatch::LeastLoaded{});
  EXPECT_DOUBLE_EQ(slots.response.mean, workers.response.mean);
  EXPECT_DOUBLE_EQ(slots.utilisation, workers.utilisation);
}

// One task per second of so many seconds each.
scenario::Scenario every_second(std::vector<Duration> sizes) {
  auto scenario = poisson(0.5, 1);
  come_every(1s, std::move(sizes), scenario.workload);
  scenario.run.tasks.reset();
  return scenario;
}

TEST(FleetSimulation, OnlyAColdWorkerStartsUp) {
  auto scenario = every_second({200ms, 900ms, 200ms});
  scenario.pool.worker.start_up =
      scenario::StartUpSettings{.time = *random::Distribution::constant(0.5), .keep_warm = 200ms};
  // Idle for 300 ms before the second task, for 0 ms (it ends at 2.4 s) before the third.
  const auto found = run(scenario, dispatch::Random{});
  EXPECT_DOUBLE_EQ(found.response.max, 1.4);
  EXPECT_NEAR(found.wait.mean, (0.5 + 0.5 + 0.4) / 3, 1e-3);
  scenario.pool.worker.start_up->keep_warm = 300'001us;
  EXPECT_NEAR(run(scenario, dispatch::Random{}).wait.mean, 0.5 / 3, 1e-3);
}

TEST(FleetSimulation, WhoGoesOnWithTheCommonQueueAtOnceWasNotIdle) {
  auto scenario = poisson(0.5, 1);
  scenario.pool.worker.start_up =
      scenario::StartUpSettings{.time = *random::Distribution::constant(2)};
  const auto own = run(scenario, dispatch::RoundRobin{});
  scenario.pool.queue_bounds = {1};
  EXPECT_DOUBLE_EQ(run(scenario, dispatch::RoundRobin{}).response.mean, own.response.mean);
}

TEST(FleetSimulation, WhoseTurnDoesNotComeInTimeGoesAway) {
  auto scenario = every_second({3s, 1s, 1s, 1s});
  scenario.workload.patience = *random::Distribution::constant(1.5);
  // The second goes at 2.5 s, the third starts at 3 s, the fourth at 4 s.
  const auto found = run(scenario, dispatch::Random{});
  EXPECT_EQ(found.abandoned, 1U);
  EXPECT_EQ(found.completed, 3U);
  EXPECT_DOUBLE_EQ(found.abandoned_share, 0.25);
  EXPECT_NEAR(found.wait.mean, (0 + 1.5 + 1 + 1) / 4, 1e-3);
  EXPECT_NEAR(found.response.mean, (3 + 2 + 2) / 3.0, 1e-2);
}

TEST(FleetSimulation, RowsSayWhoseClassTasksAreOfAndHowLongTheyWait) {
  auto scenario = every_second({4s, 1s, 1s, 1s});
  auto rows = *scenario.workload.trace;
  rows.classes = {0, 0, 1, 0};
  rows.patience = {kForever, kForever, kForever, 500ms};
  scenario.workload.trace = std::make_shared<const scenario::WorkloadTrace>(std::move(rows));
  scenario.workload.classes = {{.name = "low", .share = 0.75},
                               {.name = "high", .share = 0.25, .priority = 1}};
  scenario.workload.patience = *random::Distribution::constant(1);
  scenario.pool.worker.discipline = scenario::Discipline::priority;
  scenario::PolicySpec spec;
  spec.policy = dispatch::RoundRobin{};
  EXPECT_TRUE(is_exact(scenario, spec));
  // 0 to 4 s, then the third, then the second; the fourth goes at 3.5 s.
  const auto found = run(scenario, spec.policy);
  EXPECT_DOUBLE_EQ(found.classes[1].response.mean, 3);
  EXPECT_DOUBLE_EQ(found.response.max, 5);
  EXPECT_EQ(found.abandoned, 1U);
}

TEST(FleetSimulation, GoesAwayFromTheCommonQueueAndFromTheNetworkToo) {
  auto scenario = every_second({3s, 1s, 1s, 1s});
  scenario.workload.patience = *random::Distribution::constant(1.5);
  scenario.pool.queue_bounds = {1};
  EXPECT_EQ(run(scenario, dispatch::Random{}).abandoned, 1U);
  scenario.dispatch.network_delay = 2s;
  const auto lost = run(scenario, dispatch::Random{});
  EXPECT_EQ(lost.abandoned, 4U);
}

TEST(FleetSimulation, AClassWithAKeyGoesWhereItsKeyBelongs) {
  auto scenario = every_second({2s, 2s, 2s, 2s});
  auto rows = *scenario.workload.trace;
  rows.classes = {0, 1, 0, 1};
  scenario.workload.trace = std::make_shared<const scenario::WorkloadTrace>(std::move(rows));
  scenario.pool.speeds.assign(8, 1.0);
  scenario.pool.queue_bounds.assign(8, dispatch::kUnbounded);
  const auto mean = [&](std::uint64_t other) {
    scenario.workload.classes = {{.name = "a", .share = 0.5, .key = 1},
                                 {.name = "b", .share = 0.5, .key = other}};
    return run(scenario, dispatch::Rendezvous{}).response.mean;
  };
  EXPECT_NEAR(mean(1), (2 + 3 + 4 + 5) / 4.0, 1e-3) << "all of one key queue at one worker";
  const double alone = std::min({mean(2), mean(3), mean(4)});
  EXPECT_NEAR(alone, 2, 1e-3) << "each key has a worker";
}

TEST(FleetSimulation, EveryTaskEndsOnceWhateverBreaks) {
  for (const auto task :
       {scenario::FailureSettings::TaskFate::resume, scenario::FailureSettings::TaskFate::restart,
        scenario::FailureSettings::TaskFate::lose}) {
    for (const auto discipline : {scenario::Discipline::fifo, scenario::Discipline::srpt,
                                  scenario::Discipline::ps, scenario::Discipline::las}) {
      auto scenario = poisson(0.6, 3);
      scenario.workload.patience = *random::Distribution::exponential(20);
      scenario.workload.classes = {{.name = "a", .share = 0.3}, {.name = "b", .share = 0.7}};
      scenario.pool.queue_bounds.assign(3, 4);
      scenario.pool.common_bound = 5;
      scenario.pool.worker = {
          .discipline = discipline,
          .failures = scenario::FailureSettings{.mtbf = 10s, .mttr = 1s, .task = task}};
      const auto found = run(scenario, dispatch::Jsq{.d = 2});
      EXPECT_EQ(found.arrived, kTasks);
      EXPECT_EQ(found.completed + found.rejected + found.abandoned, kTasks);
      std::uint64_t of_classes = 0;
      for (const auto& one : found.classes)
        of_classes += one.completed + one.rejected + one.abandoned;
      EXPECT_EQ(of_classes, kTasks);
      EXPECT_EQ(found.classes.size(), 2U);
    }
  }
}

TEST(FleetSimulation, BeginningAnewTakesLongerThanGoingOn) {
  auto scenario = poisson(0.3, 1);
  scenario.pool.worker.failures = scenario::FailureSettings{.mtbf = 5s, .mttr = 1s};
  const auto resumed = run(scenario, dispatch::Random{});
  scenario.pool.worker.failures->task = scenario::FailureSettings::TaskFate::restart;
  EXPECT_GT(run(scenario, dispatch::Random{}).response.mean, 1.05 * resumed.response.mean);
}

TEST(FleetSimulation, DispatchersSendNothingToAWorkerThatTheyKnowIsBroken) {
  auto scenario = poisson(0.2, 2);
  scenario.pool.worker.failures = scenario::FailureSettings{.mtbf = 100s, .mttr = 100s};
  const auto unknown = run(scenario, dispatch::Random{});
  scenario.pool.worker.failures->detection = 1s;
  const auto known = run(scenario, dispatch::Random{});
  EXPECT_LT(known.response.mean, 0.7 * unknown.response.mean);
  EXPECT_EQ(known.completed, kTasks);
}

TEST(FleetSimulation, WorkersGoThroughTheirSpeeds) {
  auto scenario = poisson(0.3, 1);
  const auto plain = run(as_fleet(scenario), dispatch::Random{});
  scenario.pool.worker.speed_states = {{.speed = 1, .mean_duration = 10s}};
  const auto steady = run(scenario, dispatch::Random{});
  EXPECT_NEAR(steady.response.mean, plain.response.mean, 1e-6);
  scenario.pool.worker.speed_states.push_back({.speed = 0.5, .mean_duration = 10s});
  const auto slower = run(scenario, dispatch::Random{});
  EXPECT_GT(slower.response.mean, 1.3 * plain.response.mean);
  EXPECT_EQ(slower.completed, kTasks);
}

TEST(FleetSimulation, WhichSpeedFollowsIsALikelihoodOfEachState) {
  auto scenario = poisson(0.3, 1);
  const auto plain = run(as_fleet(scenario), dispatch::Random{});
  auto& states = scenario.pool.worker.speed_states;
  // The slow one never follows, though it is next in order.
  states = {{.speed = 1, .mean_duration = 10s, .next = {0, 0, 1}},
            {.speed = 0.5, .mean_duration = 10s},
            {.speed = 1, .mean_duration = 10s}};
  EXPECT_NEAR(run(scenario, dispatch::Random{}).response.mean, plain.response.mean, 1e-6);
  EXPECT_DOUBLE_EQ(scenario.pool.capacity(1), 1);
  // Half of its stays lead the first one back to itself: of six stays one is slow.
  states[0].next = {0.5, 0.25, 0.25};
  states[1].next = {1, 0, 0};
  EXPECT_DOUBLE_EQ(scenario.pool.capacity(1), (4 * 1 + 1 * 0.5 + 1 * 1) / 6.0);
  EXPECT_GT(run(scenario, dispatch::Random{}).response.mean, 1.05 * plain.response.mean);
}

TEST(FleetSimulation, SpeedsGoByTheClockDayByDay) {
  auto scenario = every_second({1s, 0s, 1s, 0s, 1s, 0s, 1s});
  scenario.pool.worker.speed_timetable = scenario::SpeedTimetable{
      .points = {{.at = 500ms, .speed = 2}, {.at = 2s, .speed = 0.5}}, .day = 4s};
  // At 0 s it is as fast as at the end of the day: 0.25 s of work until 0.5 s, the rest until
  // 0.875 s; at 2 s half as fast for 2 s; the same the day after.
  const auto found = run(scenario, dispatch::Random{});
  EXPECT_DOUBLE_EQ(found.response.max, 2);
  EXPECT_NEAR(found.response.mean, (0.875 + 0 + 2 + 1 + 0.875 + 0 + 2) / 7, 1e-3);
}

TEST(FleetSimulation, SpeedsOfTheTimetableAreOfTheWorkersThatItNames) {
  auto scenario = every_second({2s, 2s, 2s, 2s});
  scenario.pool.speeds = {1, 1};
  scenario.pool.queue_bounds.assign(2, dispatch::kUnbounded);
  scenario.pool.worker.speed_timetable =
      scenario::SpeedTimetable{.points = {{.at = 0s, .speed = 4, .workers = {1}}}, .day = 24h};
  const auto found = run(scenario, dispatch::RoundRobin{});
  EXPECT_NEAR(found.response.mean, (2 + 0.5 + 2 + 0.5) / 4, 1e-3);
  EXPECT_DOUBLE_EQ(scenario.pool.capacity(1), 5);
}

TEST(FleetSimulation, OutagesBeginAndEndAtTheirTimes) {
  using TaskFate = scenario::FailureSettings::TaskFate;
  auto scenario = every_second({1500ms, 0s, 0s, 500ms});
  auto& failures = scenario.pool.worker.failures.emplace();
  failures.outages = {{.at = Instant{1s}, .lasts = 2s}, {.at = Instant{2s}, .lasts = 2s}};
  // Out from 1 s to 4 s, with 0.5 s of the first task left; then the others.
  EXPECT_NEAR(run(scenario, dispatch::Random{}).response.mean, (4.5 + 3.5 + 2.5 + 2) / 4, 1e-3);
  failures.task = TaskFate::restart;
  EXPECT_NEAR(run(scenario, dispatch::Random{}).response.mean, (5.5 + 4.5 + 3.5 + 3) / 4, 1e-3);
  failures.task = TaskFate::lose;
  const auto lost = run(scenario, dispatch::Random{});
  EXPECT_EQ(lost.abandoned, 1U);
  EXPECT_NEAR(lost.response.mean, (3 + 2 + 1.5) / 3, 1e-3);
}

TEST(FleetSimulation, ADrainedWorkerGetsNothingAndFinishesWhatItHas) {
  auto scenario = every_second({2s, 2s, 2s, 2s, 2s, 2s});
  scenario.pool.speeds = {1, 1, 1, 1};
  scenario.pool.queue_bounds.assign(4, dispatch::kUnbounded);
  auto& failures = scenario.pool.worker.failures.emplace();
  failures.task = scenario::FailureSettings::TaskFate::lose;
  failures.outages = {{.at = Instant{2500ms}, .lasts = 2s, .workers = {0, 9}, .drain = 2500ms}};
  const auto drained = run(scenario, dispatch::LeastLoaded{});
  EXPECT_EQ(drained.completed, 6U);
  EXPECT_DOUBLE_EQ(drained.response.max, 2);
  failures.outages.front().at = Instant{4500ms};
  EXPECT_EQ(run(scenario, dispatch::LeastLoaded{}).abandoned, 0U);
  failures.outages.front().drain.reset();
  EXPECT_EQ(run(scenario, dispatch::LeastLoaded{}).abandoned, 1U);
}

TEST(FleetSimulation, ClassesHaveServicesOfTheirOwn) {
  auto scenario = poisson(0.5, 1);
  scenario.workload.classes = {
      {.name = "short", .share = 0.5, .service = *random::Distribution::constant(0.25)},
      {.name = "as all", .share = 0.5}};
  const auto found = run(scenario, dispatch::Random{});
  const auto service = [&](std::size_t c) {
    return found.classes[c].response.mean - found.classes[c].wait.mean;
  };
  EXPECT_NEAR(service(0), 0.25, 1e-6);
  EXPECT_NEAR(service(1), 1, 0.1);
}

TEST(FleetSimulation, EachWorkerGoesByItsOwnPointsOrThoseOfAll) {
  auto scenario = every_second({2s, 2s, 2s, 2s});
  scenario.pool.speeds.assign(2, 1.0);
  scenario.pool.queue_bounds.assign(2, dispatch::kUnbounded);
  auto& timetable = scenario.pool.worker.speed_timetable.emplace();
  timetable = {.points = {{.at = 0s, .speed = 1}, {.at = 2s, .speed = 0.5}}, .day = 100s};
  EXPECT_TRUE(timetable.alike());
  // Round robin: worker 0 gets 0-2 and 2-6, worker 1 1-3.. at half speed from 2 on: 1-4, 4-8.
  EXPECT_DOUBLE_EQ(run(scenario, dispatch::RoundRobin{}).response.mean, (2 + 3 + 4 + 5) / 4.0);
  timetable.points[1].workers = {1};
  EXPECT_FALSE(timetable.alike());
  // Worker 0 as before but at full speed: 0-2, 2-4.
  EXPECT_DOUBLE_EQ(run(scenario, dispatch::RoundRobin{}).response.mean, (2 + 3 + 2 + 5) / 4.0);
}

TEST(FleetSimulation, IsExactWithoutDice) {
  auto scenario = every_second({3s, 1s});
  scenario::PolicySpec spec;
  spec.policy = dispatch::RoundRobin{};
  scenario.pool.worker.discipline = scenario::Discipline::ps;
  EXPECT_TRUE(is_exact(scenario, spec));
  scenario.pool.worker.speed_timetable = scenario::SpeedTimetable{.points = {{.speed = 2}}};
  scenario.pool.worker.failures = scenario::FailureSettings{.outages = {{.lasts = 1s}}};
  EXPECT_TRUE(is_exact(scenario, spec));
  scenario.pool.worker.failures = scenario::FailureSettings{.mtbf = 1s, .mttr = 1s};
  EXPECT_FALSE(is_exact(scenario, spec));
}

}  // namespace
}  // namespace artel::fleet::detail
