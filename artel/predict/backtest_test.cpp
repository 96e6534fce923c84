#include "artel/predict/backtest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/replay.hpp"
#include "artel/predict/what_if.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/predict/recorded_queue.hpp"

namespace artel::predict {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kTasks = 60'000;

// One queue; four workers are 80% busy; in the second half work takes `slower` times as long.
trace::TaskTrace record(double slower = 1, int workers = 4, double rate = 80) {
  return RecordedQueue{
      .seed = 3,
      .tasks = kTasks,
      .workers = workers,
      .stated = workers,
      .rate = rate,
      .rate_of_rest = rate,
      .mean_s = 0.04,
      .factor = [slower](int task, double) { return task < kTasks / 2 ? 1 : slower; }}
      .trace();
}

TEST(Backtest, TheFirstHalfOfASteadyRunPredictsTheOther) {
  const auto test = backtest(record());
  ASSERT_TRUE(test);
  EXPECT_EQ(test->workers, 4U);
  EXPECT_EQ(test->fitted_tasks + test->predicted_tasks, std::uint64_t{kTasks});
  for (const auto figure :
       {Figure::p50_response, Figure::p95_response, Figure::p99_response, Figure::utilisation})
    EXPECT_LT(std::abs(test->error(figure)), 0.1) << name(figure);
  EXPECT_THAT(test->reasons(), IsEmpty());
}

TEST(Backtest, WorksWithResponsesOnly) {
  auto trace = record();
  for (auto& task : trace.tasks) task.started = task.submitted;
  trace.header.settings = {{"starts", "inferred"}};
  const auto test = backtest(trace);
  ASSERT_TRUE(test);
  EXPECT_TRUE(test->starts_inferred);
  EXPECT_EQ(test->workers, 4U);
  EXPECT_LT(std::abs(test->error(Figure::p99_response)), 0.1);
  EXPECT_TRUE(std::isnan(test->error(Figure::utilisation)));
}

TEST(Backtest, OneRunPredictsAnotherAtAnotherRateWithOtherWorkers) {
  const auto test = backtest(record(1, 4, 60), record(1, 6, 130), {.workers_of_rest = 6});
  ASSERT_TRUE(test);
  EXPECT_EQ(test->workers, 6U);
  EXPECT_EQ(test->predicted_tasks, std::uint64_t{kTasks});
  EXPECT_GT(test->measured[Figure::utilisation], 0.8);
  for (const auto figure :
       {Figure::p50_response, Figure::p95_response, Figure::p99_response, Figure::utilisation})
    EXPECT_LT(std::abs(test->error(figure)), 0.1) << name(figure);

  const auto fewer = backtest(record(1, 6, 60), record(1, 4, 60), {.workers_of_rest = 4});
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->workers, 4U);
  EXPECT_LT(std::abs(fewer->error(Figure::p99_response)), 0.1);
}

TEST(Backtest, SaysThatWorkHasChanged) {
  const auto test = backtest(record(1.15));
  ASSERT_TRUE(test);
  EXPECT_LT(test->error(Figure::p99_response), -0.1);
  ASSERT_EQ(test->reasons().size(), 1U);
  EXPECT_THAT(test->reasons()[0], HasSubstr("work took 1"));
  EXPECT_THAT(test->reasons()[0], HasSubstr("% longer"));
}

TEST(Backtest, RefusesWhatIsNoTest) {
  auto trace = record();
  trace.header.loop = trace::Loop::closed;
  EXPECT_THAT(to_string(backtest(trace).error()), HasSubstr("arrivals waited for results"));
  trace = record();
  trace.header.settings["starts"] = "unknown";
  EXPECT_THAT(to_string(backtest(trace).error()), HasSubstr("nothing was measured"));
  trace = record();
  trace.tasks.resize(150);
  EXPECT_THAT(to_string(backtest(trace).error()), HasSubstr("100 tasks in each part"));
}

TEST(WhatIf, MoreWorkersWaitLessAndTheRangeHoldsTheAnswer) {
  const auto calibration = calibrate(record(), {});
  ASSERT_TRUE(calibration);
  auto after = calibration->recorded;
  after.pool.speeds.assign(6, 1.0);
  after.pool.queue_bounds.assign(6, 1);
  const auto result = what_if(calibration->recorded, after, 1, 2);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->before.workers, 4U);
  EXPECT_EQ(result->after.workers, 6U);
  EXPECT_LT(result->after.figures[Figure::mean_wait],
            0.3 * result->before.figures[Figure::mean_wait]);
  for (std::size_t f = 0; f < kFigures; ++f) {
    EXPECT_LE(result->low.values[f], result->after.figures.values[f]);
    EXPECT_GE(result->high.values[f], result->after.figures.values[f]);
  }
  // Longer work and more of it, both.
  EXPECT_GT(result->high[Figure::utilisation], 1.09 * result->after.figures[Figure::utilisation]);
  ASSERT_EQ(result->notes.size(), 1U);
  EXPECT_THAT(result->notes[0], HasSubstr("up to 6 tasks are at work at once, in the recorded run "
                                          "no more than 4"));
  EXPECT_THAT(result->notes[0], HasSubstr("up to 6% longer"));
  EXPECT_EQ(result->work, 1) << "nothing shows that they slow each other";
  EXPECT_TRUE(what_if(calibration->recorded, calibration->recorded, 1, 2)->notes.empty());
}

}  // namespace
}  // namespace artel::predict
