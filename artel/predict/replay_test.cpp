#include "artel/predict/replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/policy_text.hpp"
#include "artel/dispatch/sita.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/fleet/replay_tasks.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scaling/timetable.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/scenario/workload_trace.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

// A pool as calibrate() takes the real one to be: four workers, tasks bound to idle ones only.
scenario::Scenario pool_of_four(double load, std::uint64_t tasks) {
  scenario::Scenario scenario;
  scenario.workload.service = *random::Distribution::hyperexponential({.mean = 0.01, .scv = 4});
  scenario.workload.arrivals = scenario::PoissonArrivals{load * 4 / 0.01};
  scenario.workload.mean_service_s = 0.01;
  scenario.pool.speeds.assign(4, 1.0);
  scenario.pool.queue_bounds.assign(4, 1);
  scenario.pool.stealing = dispatch::Stealing::before_held;
  scenario.run.tasks = tasks;
  return scenario;
}

scenario::PolicySpec policy(const char* text) {
  scenario::PolicySpec spec;
  spec.policy = *dispatch::parse_policy(text);
  return spec;
}

std::vector<trace::TaskRecord> rerun(const scenario::Scenario& scenario,
                                     const scenario::PolicySpec& spec,
                                     std::uint32_t replication = 0) {
  return fleet::replay_tasks(scenario, spec, replication)
      .value_or(std::vector<trace::TaskRecord>{});
}

trace::TaskTrace recorded(const scenario::Scenario& scenario, const char* policy_name) {
  trace::TaskTrace trace;
  trace.tasks = rerun(scenario, policy(policy_name));
  trace.header.loop = trace::Loop::open;
  trace.header.settings = {{"source", "artel pool"},
                           {"pool.workers", "4"},
                           {"pool.queue", "0"},
                           {"policy", policy_name}};
  return trace;
}

// Since the first arrival: traces may start at any time.
std::vector<trace::TaskRecord> since_first(std::vector<trace::TaskRecord> tasks) {
  const auto shift = tasks.front().submitted.time_since_epoch();
  for (auto& task : tasks) {
    task.submitted -= shift;
    task.bound -= shift;
    task.started -= shift;
    task.finished -= shift;
  }
  return tasks;
}

TEST(Replay, ASimulatedRunPredictsItselfToTheNanosecond) {
  for (const auto* name : {"least_loaded", "round_robin", "jiq"}) {
    const auto trace = recorded(pool_of_four(0.9, 5000), name);
    const auto prediction = replay(trace, {.replications = 0});
    ASSERT_TRUE(prediction) << name;
    EXPECT_EQ(prediction->same_work_tasks, since_first(trace.tasks)) << name;
    EXPECT_EQ(prediction->same_work.values, prediction->measured.values) << name;
    EXPECT_EQ(prediction->tasks, 5000U);
  }
}

TEST(Replay, TasksOfOneMomentGoInTheOrderOfTheirStarts) {
  auto scenario = pool_of_four(0.9, 5000);
  scenario.workload.batch = {7};
  auto trace = recorded(scenario, "least_loaded");
  trace::sort_by_submission(trace.tasks);  // as whoever reads a file
  const auto prediction = replay(trace, {.replications = 0});
  ASSERT_TRUE(prediction);
  EXPECT_EQ(prediction->same_work.values, prediction->measured.values);
}

TEST(Replay, EvenTasksOnOneWorkerAreAsCalculatedByHand) {
  // D/D/1: tasks of 3 s every 4 s for a while, then three at once.
  trace::TaskTrace trace;
  Instant free{};
  for (const auto at : {0s, 4s, 8s, 8s, 8s}) {
    const auto start = std::max(Instant{at}, free);
    free = start + 3s;
    trace.tasks.push_back({.submitted = Instant{at},
                           .bound = start,
                           .started = start,
                           .finished = free,
                           .worker = WorkerId{0}});
  }
  const auto prediction = replay(trace, {.replications = 0});
  ASSERT_TRUE(prediction);
  // Responses 3, 3, 3, 6, 9; the last one ends at 17, having worked for 15.
  EXPECT_DOUBLE_EQ(prediction->same_work[Figure::mean_response], 24.0 / 5);
  EXPECT_NEAR(prediction->same_work[Figure::p50_response], 3, 0.002);
  EXPECT_NEAR(prediction->same_work[Figure::p99_response], 9, 0.005);
  EXPECT_DOUBLE_EQ(prediction->same_work[Figure::mean_wait], 9.0 / 5);
  EXPECT_DOUBLE_EQ(prediction->same_work[Figure::utilisation], 15.0 / 17);
  EXPECT_EQ(prediction->same_work.values, prediction->measured.values);
}

TEST(Replay, TheFittedRangeHoldsTheRunThatItWasFittedTo) {
  const auto prediction = replay(recorded(pool_of_four(0.7, 20'000), "random"), {.jobs = 2});
  ASSERT_TRUE(prediction);
  EXPECT_EQ(prediction->replications, 39U);
  EXPECT_DOUBLE_EQ(prediction->range_level, 0.95);
  for (std::size_t f = 0; f < kFigures; ++f) {
    const auto& fitted = prediction->fitted[f];
    const auto slack = 0.05 * prediction->measured.values[f];
    EXPECT_LE(fitted.low - slack, prediction->measured.values[f]) << name(static_cast<Figure>(f));
    EXPECT_GE(fitted.high + slack, prediction->measured.values[f]) << name(static_cast<Figure>(f));
    EXPECT_TRUE(fitted.mean.center >= fitted.low && fitted.mean.center <= fitted.high);
  }
  EXPECT_EQ(prediction->fitted_ns.count(), 39U * 20'000);
}

TEST(Replay, TheFittedWorkloadGivesTheQueueingTheorysWait) {
  auto scenario = pool_of_four(0.8, 50'000);
  scenario.workload.service = *random::Distribution::exponential(0.01);
  const auto prediction = replay(recorded(scenario, "least_loaded"), {.replications = 20});
  ASSERT_TRUE(prediction);
  // M/M/4 at the calibrated rate and mean: Erlang C.
  const double mean_s = prediction->calibration.service.mean_s;
  const double offered = prediction->calibration.arrivals.rate * mean_s;
  double term = 1;
  double sum = 0;
  for (int k = 0; k < 4; ++k) {
    sum += term;
    term *= offered / (k + 1);
  }
  const double queue = term * 4 / (4 - offered);
  const double wait = queue / (sum + queue) * mean_s / (4 - offered);
  const auto& fitted = prediction->fitted_at(Figure::mean_wait).mean;
  EXPECT_NEAR(fitted.center, wait, fitted.half_width + 0.02 * wait);
}

TEST(Replay, ResultsDoNotDependOnTheThreads) {
  const auto trace = recorded(pool_of_four(0.8, 2000), "random");
  const auto one = replay(trace, {.replications = 5, .jobs = 1});
  const auto three = replay(trace, {.replications = 5, .jobs = 3});
  for (std::size_t f = 0; f < kFigures; ++f) {
    EXPECT_EQ(one->fitted[f].low, three->fitted[f].low);
    EXPECT_EQ(one->fitted[f].mean.center, three->fitted[f].mean.center);
  }
}

TEST(Replay, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  const auto prediction =
      replay(recorded(pool_of_four(0.5, 500), "random"), {.stop = source.get_token()});
  ASSERT_FALSE(prediction);
  EXPECT_EQ(prediction.error().code, ErrorCode::cancelled);
}

TEST(FiguresOf, UtilisationIsOfAllWorkers) {
  std::vector<trace::TaskRecord> tasks(2);
  tasks[0].finished = Instant{3s};
  tasks[1].finished = Instant{1s};
  EXPECT_DOUBLE_EQ(figures_of(tasks, 2)[Figure::utilisation], 4.0 / 6);
  EXPECT_DOUBLE_EQ(figures_of(tasks, 4)[Figure::utilisation], 4.0 / 12);
}

TEST(RelativeError, IsAShareOfWhatWasMeasured) {
  EXPECT_DOUBLE_EQ(relative_error(3, 2), 0.5);
  EXPECT_DOUBLE_EQ(relative_error(1, 2), -0.5);
  EXPECT_EQ(relative_error(0, 0), 0);
  EXPECT_TRUE(std::isnan(relative_error(1, 0)));
}

// ---- What the simulated pool does besides waiting and serving.

scenario::Scenario with_tasks(const std::vector<std::pair<Duration, Duration>>& at_and_size,
                              std::size_t workers) {
  scenario::Scenario scenario;
  scenario::WorkloadTrace rows;
  for (const auto& [at, size] : at_and_size) {
    rows.arrivals.emplace_back(at);
    rows.services.push_back(size);
  }
  scenario.workload.trace = std::make_shared<const scenario::WorkloadTrace>(std::move(rows));
  scenario.workload.arrivals = scenario::TraceArrivals{};
  scenario.workload.service = scenario::TraceService{};
  scenario.pool.speeds.assign(workers, 1.0);
  scenario.pool.queue_bounds.assign(workers, 1);
  scenario.pool.stealing = dispatch::Stealing::before_held;
  return scenario;
}

TEST(ReplayTasks, AnIdleWorkerTakesTimeToWake) {
  auto scenario = with_tasks({{0s, 5s}, {1s, 5s}, {20s, 5s}}, 1);
  scenario.pool.wake_ups = {2s};
  const auto tasks = rerun(scenario, policy("least_loaded"));
  EXPECT_EQ(tasks[0].started, Instant{2s});
  EXPECT_EQ(tasks[1].started, Instant{7s});  // straight after the first
  EXPECT_EQ(tasks[1].bound, Instant{7s});    // from the common queue
  EXPECT_EQ(tasks[1].queued_common, 0U);
  EXPECT_EQ(tasks[2].started, Instant{22s});
}

TEST(ReplayTasks, WhoRunsOutTakesTheTaskOfOneThatStillWakes) {
  auto scenario = with_tasks({{0s, 1s}, {2s, 5s}}, 2);
  scenario.pool.wake_ups = {2s};
  // Worker 0 wakes at 2 and works till 3; at 2 the second task goes to worker 1, which would wake
  // at 4.
  const auto tasks = rerun(scenario, policy("round_robin"));
  EXPECT_EQ(tasks[0].started, Instant{2s});
  EXPECT_EQ(tasks[1].bound, Instant{2s});
  EXPECT_EQ(tasks[1].started, Instant{3s});
  EXPECT_EQ(tasks[1].worker, WorkerId{0});
}

TEST(ReplayTasks, AnIdleWorkerComesToStealWhatWaitsAtABusyOne) {
  auto scenario = with_tasks({{0s, 10s}, {1s, 10s}, {2s, 1s}}, 2);
  scenario.pool.queue_bounds = {2, 2};
  scenario.pool.wake_ups = {500ms};
  scenario::PolicySpec first;
  first.policy = dispatch::Sita{.cutoffs = {100s}};  // all to worker 0
  const auto tasks = rerun(scenario, first);
  EXPECT_EQ(tasks[0].started, Instant{500ms});
  EXPECT_EQ(tasks[1].bound, Instant{1s});
  EXPECT_EQ(tasks[1].started, Instant{1500ms});
  EXPECT_EQ(tasks[1].worker, WorkerId{1});
  EXPECT_EQ(tasks[2].started, Instant{10500ms});
}

TEST(ReplayTasks, OverheadComesBetweenTasks) {
  auto scenario = with_tasks({{0s, 5s}, {1s, 5s}, {20s, 5s}}, 1);
  scenario.pool.task_overhead = 1s;
  const auto tasks = rerun(scenario, policy("least_loaded"));
  EXPECT_EQ(tasks[0].started, Instant{0s});
  EXPECT_EQ(tasks[1].started, Instant{6s});
  EXPECT_EQ(tasks[2].started, Instant{20s});
}

TEST(ReplayTasks, SaysWhatWasRejectedAndWhatWaited) {
  auto scenario = with_tasks({{0s, 5s}, {1s, 5s}, {2s, 5s}, {3s, 5s}}, 1);
  scenario.pool.common_bound = 2;
  const auto tasks = rerun(scenario, policy("least_loaded"));
  EXPECT_EQ(tasks[2].queued_common, 1U);
  EXPECT_EQ(tasks[3].outcome, trace::TaskOutcome::rejected);
  EXPECT_EQ(tasks[3].worker, trace::TaskRecord::kNobody);
  EXPECT_EQ(tasks[3].finished, Instant{3s});
}

// The rows of with_tasks(), of these classes and with these ends to their patience.
void describe(scenario::Scenario& scenario, std::vector<std::uint32_t> classes,
              std::vector<Duration> patience) {
  auto rows = *scenario.workload.trace;
  if (!classes.empty())
    scenario.workload.classes = {{.name = "high", .share = 0.2, .priority = 1},
                                 {.name = "normal", .share = 0.4},
                                 {.name = "low", .share = 0.4, .priority = -1}};
  if (!patience.empty()) scenario.workload.patience = *random::Distribution::constant(1);
  rows.classes = std::move(classes);
  rows.patience = std::move(patience);
  scenario.workload.trace = std::make_shared<const scenario::WorkloadTrace>(std::move(rows));
}

TEST(ReplayTasks, HighPriorityGoesFirstAndLowLast) {
  auto scenario = with_tasks({{0s, 5s}, {1s, 5s}, {2s, 5s}, {3s, 5s}, {40s, 5s}, {41s, 5s}}, 1);
  describe(scenario, {1, 2, 1, 0, 2, 0}, {});
  ASSERT_TRUE(is_of_threads(scenario));
  const auto tasks = rerun(scenario, policy("least_loaded"));
  std::vector<Instant> starts;
  for (const auto& task : tasks) starts.push_back(task.started);
  EXPECT_THAT(starts, ElementsAre(Instant{0s}, Instant{15s}, Instant{10s}, Instant{5s},
                                  Instant{40s}, Instant{45s}));  // none interrupts another
  EXPECT_EQ(tasks[1].priority, 2);
  EXPECT_EQ(tasks[3].priority, 0);
  const auto measured =
      fleet::run_replication(scenario, policy("least_loaded"), {}).value_or(fleet::Replication{});
  ASSERT_EQ(measured.classes.size(), 3U);
  EXPECT_DOUBLE_EQ(measured.classes[0].wait.mean, 3);
}

TEST(ReplayTasks, HighPriorityWakesAnIdleWorker) {
  auto scenario = with_tasks({{0s, 5s}, {1s, 5s}}, 2);
  scenario.pool.wake_ups = {500ms};
  describe(scenario, {1, 0}, {});
  const auto tasks = rerun(scenario, policy("least_loaded"));
  EXPECT_EQ(tasks[1].started, Instant{1500ms});
  EXPECT_EQ(tasks[1].worker, WorkerId{1});
}

TEST(ReplayTasks, WhoeverHasNotStartedByTheDeadlineExpiresAtItsTurn) {
  auto scenario = with_tasks({{0s, 5s}, {1s, 5s}, {2s, 5s}, {3s, 5s}}, 1);
  describe(scenario, {}, {kForever, 2s, 3s, kForever});
  const auto tasks = rerun(scenario, policy("least_loaded"));
  EXPECT_EQ(tasks[1].outcome, trace::TaskOutcome::expired);
  EXPECT_EQ(tasks[1].finished, Instant{5s});
  EXPECT_EQ(tasks[1].patience, 2s);
  EXPECT_EQ(tasks[2].outcome, trace::TaskOutcome::done);  // just in time
  EXPECT_EQ(tasks[2].started, Instant{5s});
  EXPECT_EQ(tasks[3].started, Instant{10s});
  const auto measured =
      fleet::run_replication(scenario, policy("least_loaded"), {}).value_or(fleet::Replication{});
  EXPECT_EQ(measured.abandoned, 1U);
  EXPECT_EQ(measured.completed, 3U);
}

TEST(ReplayTasks, WorkersComeAndGoByTheTimetable) {
  auto scenario = with_tasks({{0s, 10s}, {1s, 10s}, {3s, 1s}, {21s, 5s}, {22s, 5s}}, 1);
  scenario.pool.scaling = scenario::ScalingSettings{
      .policy = scaling::Timetable{.day = 1000s, .entries = {{0s, 1}, {2s, 2}, {4s, 1}}},
      .limits = {.min = 1, .max = 2}};
  ASSERT_TRUE(is_of_threads(scenario));
  const auto tasks = rerun(scenario, policy("least_loaded"));
  EXPECT_EQ(tasks[1].started, Instant{2s});
  EXPECT_EQ(tasks[1].worker, WorkerId{1});
  EXPECT_EQ(tasks[2].started, Instant{10s});  // worker 1 takes no more, but ends what it has
  EXPECT_EQ(tasks[4].started, Instant{26s});
  // Worker 1 is there from 2 to 12, though it has to go from 4 on.
  EXPECT_DOUBLE_EQ(figures_of(tasks, scenario.pool)[Figure::utilisation], 31.0 / (31 + 2));
  const auto measured =
      fleet::run_replication(scenario, policy("least_loaded"), {}).value_or(fleet::Replication{});
  EXPECT_DOUBLE_EQ(measured.workers, (22.0 + 10) / 22);
}

TEST(ReplayTasks, IsTheRunThatTheReplicationMeasures) {
  const auto scenario = pool_of_four(0.9, 3000);
  const auto tasks = rerun(scenario, policy("jsq(d=2)"), 4);
  const auto measured = fleet::run_replication(scenario, policy("jsq(d=2)"), {.index = 4})
                            .value_or(fleet::Replication{});
  EXPECT_DOUBLE_EQ(figures_of(tasks, 4)[Figure::p99_response], measured.response.p99);
}

}  // namespace
}  // namespace artel::predict
