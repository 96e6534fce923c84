#include "artel/predict/overhead_fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/predict/recorded_task.hpp"

namespace artel::predict {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FitOverhead, TellsWakeUpsFromTasksThatWaited) {
  const std::vector<trace::TaskRecord> tasks{
      task(0, 0ms, 1ms, 10ms),    // woken: 1 ms
      task(0, 5ms, 12ms, 20ms),   // waited: 2 ms after the one before
      task(0, 30ms, 33ms, 40ms),  // woken: 3 ms
      task(1, 31ms, 31ms, 50ms),  // woken: 0
  };
  const auto fit = fit_overhead(tasks, trace::Loop::open);
  EXPECT_THAT(fit.wake_ups, ElementsAre(0ms, 1ms, 3ms));
  EXPECT_EQ(fit.wake_up_median, 1ms);
  EXPECT_EQ(fit.wake_up_samples, 3U);
  EXPECT_EQ(fit.task_overhead, 2ms);
  EXPECT_EQ(fit.task_samples, 1U);
}

TEST(FitOverhead, ATaskThatWaitedInTheCommonQueueIsNoWakeUp) {
  auto waited = task(0, 0ms, 9ms, 10ms);
  waited.bound = Instant{9ms};
  EXPECT_EQ(fit_overhead(std::vector{waited}, trace::Loop::open).wake_up_samples, 0U);
}

TEST(FitOverhead, NoTimeAtAllIsNoOverhead) {
  const std::vector<trace::TaskRecord> tasks{task(0, 0ms, 0ms, 1ms), task(0, 2ms, 2ms, 3ms)};
  EXPECT_THAT(fit_overhead(tasks, trace::Loop::open).wake_ups, IsEmpty());
}

TEST(FitOverhead, TheTimeBetweenTasksIsTheMeanWhereTasksWaited) {
  const std::vector<trace::TaskRecord> tasks{task(0, 0ms, 0ms, 10ms), task(0, 1ms, 10ms, 20ms),
                                             task(0, 2ms, 20ms, 30ms), task(0, 3ms, 36ms, 40ms)};
  EXPECT_EQ(fit_overhead(tasks, trace::Loop::open).task_overhead, 2ms);
}

TEST(FitOverhead, InAClosedLoopItIsTheMedianOfAll) {
  const std::vector<trace::TaskRecord> tasks{task(0, 0ms, 0ms, 10ms), task(0, 14ms, 14ms, 20ms),
                                             task(0, 22ms, 22ms, 30ms), task(0, 99ms, 99ms, 100ms)};
  const auto fit = fit_overhead(tasks, trace::Loop::closed);
  EXPECT_EQ(fit.task_overhead, 4ms);
  EXPECT_EQ(fit.task_samples, 3U);
}

// Tasks of random sizes, worker i being speeds[i] times as fast.
std::vector<trace::TaskRecord> at_speeds(const std::vector<double>& speeds, std::size_t tasks,
                                         bool hints) {
  random::Stream stream(Seed{3}, "sizes");
  std::vector<trace::TaskRecord> all;
  for (std::size_t i = 0; i < tasks; ++i) {
    const auto worker = static_cast<std::uint32_t>(i % speeds.size());
    const double size = 0.001 * std::exp(stream.uniform());
    all.push_back(task(worker, 0ms, 0ms, from_seconds(size / speeds[worker])));
    if (hints) all.back().size = from_seconds(size);
  }
  return all;
}

TEST(FitSpeeds, FindsTheSpeedsThatWere) {
  const auto fit = fit_speeds(at_speeds({0.5, 1, 2}, 6000, false), 3);
  ASSERT_TRUE(fit.differ);
  EXPECT_FALSE(fit.by_hint);
  EXPECT_NEAR(fit.speeds[0], 0.5, 0.02);
  EXPECT_NEAR(fit.speeds[1], 1, 0.04);
  EXPECT_NEAR(fit.speeds[2], 2, 0.08);
}

TEST(FitSpeeds, HintsTakeTheSizesOutOfIt) {
  const auto fit = fit_speeds(at_speeds({0.9, 1.0, 1.1}, 300, true), 3);
  ASSERT_TRUE(fit.differ);
  EXPECT_TRUE(fit.by_hint);
  EXPECT_NEAR(fit.speeds[1] / fit.speeds[0], 1.0 / 0.9, 1e-4);
}

TEST(FitSpeeds, EqualWorkersStayEqual) {
  const auto fit = fit_speeds(at_speeds({1, 1, 1, 1}, 4000, false), 4);
  EXPECT_FALSE(fit.differ);
  EXPECT_THAT(fit.speeds, ElementsAre(1, 1, 1, 1));
}

TEST(FitSpeeds, FewTasksProveNothing) {
  EXPECT_FALSE(fit_speeds(at_speeds({0.1, 1}, 40, false), 2).differ);
}

}  // namespace
}  // namespace artel::predict
