#include "artel/predict/calibrate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/fleet/replay_tasks.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scaling/timetable.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/predict/recorded_task.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::predict {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

trace::TaskTrace three_tasks() {
  trace::TaskTrace trace;
  trace.header.settings = {{"source", "artel pool"}, {"policy", "jsq(d=3; busyness=queued)"},
                           {"pool.workers", "4"},    {"pool.queue", "7"},
                           {"pool.common", "100"},   {"pool.when_full", "block"}};
  trace.header.loop = trace::Loop::open;
  trace.tasks = {task(0, 10ms, 10ms, 15ms), task(1, 20ms, 20ms, 21ms), task(0, 30ms, 30ms, 33ms)};
  return trace;
}

std::vector<trace::TaskRecord> run(const scenario::Scenario& scenario,
                                   const scenario::PolicySpec& policy,
                                   std::uint32_t replication = 0) {
  return fleet::replay_tasks(scenario, policy, replication)
      .value_or(std::vector<trace::TaskRecord>{});
}

// What a pool of four would have recorded under Poisson arrivals.
trace::TaskTrace simulated(std::uint64_t tasks, double load) {
  scenario::Scenario scenario;
  scenario.workload.service = *random::Distribution::exponential(0.01);
  scenario.workload.arrivals = scenario::PoissonArrivals{load * 4 / 0.01};
  scenario.pool.speeds.assign(4, 1.0);
  scenario.pool.queue_bounds.assign(4, 1);
  scenario.run.tasks = tasks;
  trace::TaskTrace trace;
  trace.tasks = run(scenario, {});
  for (auto& record : trace.tasks) record.size = {};
  trace.header.settings = {
      {"source", "artel pool"}, {"pool.workers", "4"}, {"pool.queue", "0"}, {"policy", "random"}};
  return trace;
}

std::string error_of(const trace::TaskTrace& trace, const CalibrateOptions& options = {}) {
  const auto made = calibrate(trace, options);
  return made ? "no error" : made.error().what;
}

TEST(Calibrate, TakesThePoolOfTheTrace) {
  const auto made = calibrate(three_tasks());
  ASSERT_TRUE(made);
  const auto& pool = made->recorded.pool;
  EXPECT_EQ(pool.speeds.size(), 4U);
  EXPECT_THAT(pool.queue_bounds, ElementsAre(8, 8, 8, 8));  // the running task included
  EXPECT_EQ(pool.common_bound, 100U);
  EXPECT_EQ(pool.when_full, dispatch::WhenFull::block);
  EXPECT_EQ(pool.stealing, dispatch::Stealing::before_held);
  const auto& policy = made->recorded.dispatch.policies.at(0);
  EXPECT_EQ(policy.name, "jsq");
  EXPECT_EQ(std::get<dispatch::Jsq>(policy.policy).d, 3U);
  EXPECT_TRUE(made->notes.empty());
}

TEST(Calibrate, TakesArrivalsAndServiceTaskByTask) {
  const auto made = calibrate(three_tasks());
  ASSERT_TRUE(made);
  const auto& rows = *made->recorded.workload.trace;
  EXPECT_THAT(rows.arrivals, ElementsAre(Instant{0ms}, Instant{10ms}, Instant{20ms}));
  EXPECT_THAT(rows.services, ElementsAre(5ms, 1ms, 3ms));
  EXPECT_TRUE(rows.hints.empty());
  EXPECT_EQ(made->fitted.run.tasks, 3U);
}

TEST(Calibrate, TheAutomaticBoundIsAHundredMicrosecondsOfWork) {
  auto trace = three_tasks();
  trace.header.settings["pool.queue"] = "0";
  EXPECT_THAT(calibrate(trace)->recorded.pool.queue_bounds, Contains(1).Times(4));
  for (auto& record : trace.tasks) record.finished = record.started + 20us;
  EXPECT_THAT(calibrate(trace)->recorded.pool.queue_bounds, Contains(6).Times(4));
}

TEST(Calibrate, QueuesOfTheirOwnAreKept) {
  auto trace = three_tasks();
  trace.header.settings["pool.queues"] = "1, 2, 30, 4";
  EXPECT_THAT(calibrate(trace)->recorded.pool.queue_bounds, ElementsAre(2, 3, 31, 5));
}

TEST(Calibrate, CountsWorkersWhereTheTraceDoesNotNameThem) {
  auto trace = three_tasks();
  trace.header.settings.clear();
  EXPECT_EQ(calibrate(trace)->recorded.pool.speeds.size(), 2U);  // ids 0 and 1
  for (auto& record : trace.tasks) record.worker = trace::TaskRecord::kNobody;
  const auto made = calibrate(trace);
  EXPECT_EQ(made->recorded.pool.speeds.size(), 1U);  // never two at once
  EXPECT_THAT(made->notes, Contains(HasSubstr("does not name the workers")));
  EXPECT_EQ(calibrate(trace, {.workers = 9})->recorded.pool.speeds.size(), 9U);
}

TEST(Calibrate, WorkersThatComeAndGoWithTheirTasksAreNoFleet) {
  trace::TaskTrace trace;  // forty runners of one job each, two at work at once
  for (unsigned i = 0; i < 40; ++i)
    trace.tasks.push_back(task(i, 10ms * i, 10ms * i, 10ms * i + 15ms));
  const auto made = calibrate(trace);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->recorded.pool.speeds.size(), 2U);
  EXPECT_THAT(made->notes, Contains(HasSubstr("40 workers ran 40 tasks: they come and go with "
                                              "them; 2 are taken, as many as were ever busy")));
  for (auto& one : trace.tasks)
    one.worker = WorkerId{static_cast<std::uint32_t>(index(one.worker) % 12)};
  EXPECT_EQ(calibrate(trace)->recorded.pool.speeds.size(), 12U);
}

TEST(Calibrate, LeavesOutWhatNeverRanAndSaysSo) {
  auto trace = three_tasks();
  trace.tasks.push_back(task(0, 40ms, 50ms, 50ms));
  trace.tasks.back().outcome = trace::TaskOutcome::expired;
  trace.tasks.push_back(task(0, 60ms, 60ms, 61ms));
  trace.tasks.back().outcome = trace::TaskOutcome::failed;
  trace.dropped = 5;
  const auto made = calibrate(trace);
  EXPECT_EQ(made->recorded.workload.trace->arrivals.size(), 4U);
  EXPECT_EQ(made->outcomes[static_cast<std::size_t>(trace::TaskOutcome::failed)], 1U);
  EXPECT_THAT(made->notes, Contains(HasSubstr("1 task that never ran")));
  EXPECT_THAT(made->notes, Contains(HasSubstr("dropped 5 of 10")));
}

// Two urgent tasks, one of which expired, and a pool that was resized twice.
trace::TaskTrace resized_tasks() {
  auto trace = three_tasks();
  trace.tasks[0].priority = 0;
  trace.tasks.insert(trace.tasks.begin() + 1, task(0, 12ms, 16ms, 16ms));
  trace.tasks[1].outcome = trace::TaskOutcome::expired;
  trace.tasks[1].patience = 3ms;
  trace.tasks[1].priority = 0;
  trace.sizes = {{Instant{1ms}, 2}, {Instant{11ms}, 5}, {Instant{25ms}, 1}};
  return trace;
}

TEST(Calibrate, PrioritiesDeadlinesAndSizesAreKept) {
  const auto made = calibrate(resized_tasks());
  ASSERT_TRUE(made);
  const auto& workload = made->recorded.workload;
  ASSERT_EQ(workload.classes.size(), 2U);
  EXPECT_EQ(workload.classes[0].name, "high");
  EXPECT_EQ(workload.classes[0].priority, 1);
  EXPECT_DOUBLE_EQ(workload.classes[1].share, 0.5);
  EXPECT_THAT(workload.trace->classes, ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(workload.trace->patience, ElementsAre(kForever, 3ms, kForever, kForever));
  EXPECT_THAT(workload.trace->services, ElementsAre(5ms, 5ms, 1ms, 3ms));
  EXPECT_THAT(made->notes, Contains(HasSubstr("1 task expired")));
  const auto& pool = made->recorded.pool;
  EXPECT_EQ(pool.speeds.size(), 2U);
  const auto scaling = pool.scaling.value_or(scenario::ScalingSettings{});
  EXPECT_EQ(scaling.limits.min, 1U);
  EXPECT_EQ(scaling.limits.max, 5U);
  const auto& entries = std::get<scaling::Timetable>(scaling.policy).entries;
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[1].from, 1ms);  // since the first task
  EXPECT_EQ(entries[1].workers, 5U);
  EXPECT_TRUE(is_of_threads(made->recorded) && is_of_threads(made->fitted));
  EXPECT_FALSE(calibrate(resized_tasks(), {.workers = 3})->recorded.pool.scaling);
  EXPECT_EQ(calibrate(resized_tasks(), {.workers = 1})->recorded.pool.speeds.size(), 1U);
}

TEST(Calibrate, OfAPoolWithoutACommonQueueAllPrioritiesAreOne) {
  auto trace = resized_tasks();
  trace.header.settings["pool.common"] = "0";
  EXPECT_TRUE(calibrate(trace)->recorded.workload.classes.empty());
}

TEST(Calibrate, SaysWhoseWorkersServedOthersMeanwhile) {
  auto trace = three_tasks();
  trace.tasks.insert(trace.tasks.begin() + 1, task(0, 11ms, 12ms, 13ms));  // within the first
  EXPECT_THAT(calibrate(trace)->notes,
              Contains(HasSubstr("1 task ran while another of the same worker")));
}

TEST(Calibrate, WhoeverWasRefusedArrivesToo) {
  for (const auto* word : {"reject", "fail"}) {  // 0.1 wrote "fail"
    auto trace = three_tasks();
    trace.header.settings["pool.when_full"] = word;
    trace.tasks[1] = task(0, 20ms, 20ms, 20ms);
    trace.tasks[1].outcome = trace::TaskOutcome::rejected;
    const auto made = calibrate(trace);
    EXPECT_EQ(made->recorded.pool.when_full, dispatch::WhenFull::reject);
    EXPECT_THAT(made->recorded.workload.trace->services, ElementsAre(5ms, 5ms, 3ms));
  }
}

TEST(Calibrate, HintsAreKeptAndTheirErrorMeasured) {
  auto trace = simulated(20'000, 0.5);
  for (std::size_t i = 0; i < trace.tasks.size(); ++i) {
    const double factor = i % 2 == 0 ? 2 : 0.5;  // a standard deviation of ln 2
    trace.tasks[i].size = from_seconds(factor * to_seconds(trace.tasks[i].service()) + 1e-9);
  }
  const auto made = calibrate(trace);
  EXPECT_NEAR(made->recorded.workload.hint_error, 0.6931, 0.01);
  EXPECT_EQ(made->recorded.workload.trace->hints.at(7), trace.tasks[7].size);
}

TEST(Calibrate, RecoversWhatTheTasksWereDrawnFrom) {
  const auto trace = simulated(40'000, 0.7);
  const auto made = calibrate(trace);
  ASSERT_TRUE(made);
  EXPECT_TRUE(std::holds_alternative<scenario::PoissonArrivals>(made->arrivals.process));
  EXPECT_NEAR(made->arrivals.rate, 280, 280 * 0.02);
  EXPECT_NEAR(made->service.mean_s, 0.01, 0.01 * 0.02);
  EXPECT_NEAR(made->service.scv, 1, 0.05);
  EXPECT_FALSE(made->speeds.differ);
  EXPECT_TRUE(made->overhead.wake_ups.empty());
}

TEST(Calibrate, RefusesWhatCannotBeCalibrated) {
  EXPECT_THAT(error_of({}), HasSubstr("0 tasks of the trace ran; expected at least 2"));
  auto trace = three_tasks();
  for (auto& record : trace.tasks) record = task(0, 1ms, 2ms, 3ms);
  EXPECT_THAT(error_of(trace), HasSubstr("all tasks of the trace were submitted at once"));
  trace = three_tasks();
  EXPECT_THAT(error_of(trace, {.workers = 0}), HasSubstr("found 0 workers; allowed: 1 to 100000"));
  EXPECT_THAT(error_of(trace, {.policy = "jsk"}), HasSubstr("did you mean 'jsq'"));
  trace.header.settings["policy"] = "mine";
  EXPECT_THAT(error_of(trace), HasSubstr("the trace's policy is not known here"));
  EXPECT_EQ(error_of(trace, {.policy = "central"}), "no error");
  trace.tasks[0].worker = WorkerId{4'000'000'000U};
  EXPECT_THAT(error_of(trace), HasSubstr("found worker 4000000000"));
}

class CalibrationFile : public ::testing::Test {
 protected:
  // Writes the scenario and reads it back.
  scenario::Scenario through_file(const Calibration& made, WorkloadSource source) {
    const auto path = folder_.path() / "s.toml";
    EXPECT_TRUE(write_calibration(path, made, source));
    auto read = scenario::load_scenario(path);
    if (!read) {
      ADD_FAILURE() << to_string(read.error().front());
      return {};
    }
    return *std::move(read);
  }
  TemporaryFolder folder_;
};

TEST_F(CalibrationFile, ReplacesTheTasksThatItWroteAndNoOtherFile) {
  const auto made = calibrate(simulated(100, 0.8)).value();
  const auto scenario = folder_.path() / "s.toml";
  const auto tasks = folder_.path() / "s.tasks.csv";
  ASSERT_TRUE(write_calibration(scenario, made, WorkloadSource::recorded));
  EXPECT_TRUE(write_calibration(scenario, made, WorkloadSource::recorded));
  std::ofstream(tasks, std::ios::app) << "1,1\n";
  const auto changed = write_calibration(scenario, made, WorkloadSource::recorded);
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().where, tasks.string());
  std::filesystem::remove(scenario);
  EXPECT_FALSE(write_calibration(scenario, made, WorkloadSource::recorded));
  EXPECT_FALSE(std::filesystem::exists(scenario));
  EXPECT_TRUE(write_calibration(scenario, made, WorkloadSource::fitted));
}

TEST_F(CalibrationFile, TheRecordedScenarioRunsTheSameFromItsFile) {
  auto trace = simulated(3000, 0.8);
  for (std::size_t i = 0; i < trace.tasks.size(); ++i) {
    if (trace.tasks[i].bound == trace.tasks[i].submitted)  // as if waking took time
      trace.tasks[i].started += Duration{static_cast<std::int64_t>(i)};
    trace.tasks[i].finished += Duration{static_cast<std::int64_t>(i)};
  }
  const auto made = calibrate(trace, {.name = "a \"name\"\n"});
  ASSERT_TRUE(made);
  ASSERT_FALSE(made->recorded.pool.wake_ups.empty());
  const auto read = through_file(*made, WorkloadSource::recorded);
  EXPECT_EQ(read.name, "a \"name\"\n");
  EXPECT_EQ(run(read, read.dispatch.policies.at(0)),
            run(made->recorded, made->recorded.dispatch.policies.at(0)));
}

TEST_F(CalibrationFile, TheFittedScenarioRunsTheSameFromItsFile) {
  const auto made = calibrate(simulated(5000, 0.8));
  ASSERT_TRUE(made);
  const auto read = through_file(*made, WorkloadSource::fitted);
  EXPECT_EQ(run(read, read.dispatch.policies.at(0), 2),
            run(made->fitted, made->fitted.dispatch.policies.at(0), 2));
}

TEST_F(CalibrationFile, EvenArrivalsGoThroughTheFile) {
  auto made = *calibrate(three_tasks());
  const auto gap = *random::Distribution::gamma({.shape = 7.3, .scale = 0.011});
  made.fitted.workload.arrivals = scenario::RenewalArrivals{gap};
  const auto read = through_file(made, WorkloadSource::fitted);
  const auto& found = std::get<scenario::RenewalArrivals>(read.workload.arrivals).gap;
  EXPECT_NEAR(found.mean(), gap.mean(), 1e-9);
  EXPECT_NEAR(found.scv(), gap.scv(), 1e-9);
  EXPECT_NEAR(found.tail(0.1), gap.tail(0.1), 1e-9);
}

TEST_F(CalibrationFile, BurstsAndSpeedsAndParametersGoThroughTheFile) {
  auto made = *calibrate(three_tasks());
  made.fitted.workload.arrivals = scenario::MmppArrivals{{{100.5, 2s}, {3, 250ms}}};
  made.fitted.pool.speeds = {1, 0.25, 2, 1.5};
  made.fitted.workload.hint_error = 0.5;
  const auto read = through_file(made, WorkloadSource::fitted);
  const auto& states = std::get<scenario::MmppArrivals>(read.workload.arrivals).states;
  EXPECT_EQ(states.at(0).rate, 100.5);
  EXPECT_EQ(states.at(1).mean_duration, 250ms);
  EXPECT_THAT(read.pool.speeds, ElementsAre(1, 0.25, 2, 1.5));
  EXPECT_EQ(read.workload.hint_error, 0.5);
  EXPECT_EQ(std::get<dispatch::Jsq>(read.dispatch.policies.at(0).policy).d, 3U);
}

TEST_F(CalibrationFile, PrioritiesDeadlinesAndSizesGoThroughTheFile) {
  auto trace = simulated(3000, 0.9);
  for (std::size_t i = 0; i < trace.tasks.size(); ++i) {
    trace.tasks[i].priority = static_cast<std::uint8_t>(i % 3);
    if (i % 2 == 0) trace.tasks[i].patience = Duration{20ms} + Duration{static_cast<int>(i)};
  }
  trace.sizes = {{Instant{}, 4}, {Instant{3s}, 2}, {Instant{5s}, 6}};
  const auto made = calibrate(trace);
  ASSERT_TRUE(made);
  for (const auto source : {WorkloadSource::recorded, WorkloadSource::fitted}) {
    const auto& meant = source == WorkloadSource::recorded ? made->recorded : made->fitted;
    const auto read = through_file(*made, source);
    const auto tasks = run(read, read.dispatch.policies.at(0));
    EXPECT_EQ(tasks, run(meant, meant.dispatch.policies.at(0)));
    EXPECT_TRUE(std::ranges::any_of(
        tasks, [](const auto& task) { return task.outcome == trace::TaskOutcome::expired; }));
    EXPECT_TRUE(
        std::ranges::any_of(tasks, [](const auto& task) { return task.worker == WorkerId{5}; }));
  }
}

TEST_F(CalibrationFile, CommentsSayWhereTheNumbersComeFrom) {
  const auto text = calibration_toml(*calibrate(simulated(5000, 0.8)), WorkloadSource::fitted, "");
  for (const auto* part : {"Calibrated from a trace (artel pool)", "5000 done, 0 failed",
                           "Recorded: ", "variance / mean of counts", "Service times",
                           "where the worker was idle", "As recorded: random"})
    EXPECT_THAT(text, HasSubstr(part));
}

}  // namespace
}  // namespace artel::predict
