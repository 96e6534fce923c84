#include "artel/predict/contention_fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/replay.hpp"
#include "artel/predict/what_if.hpp"
#include "artel/random/stream.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/predict/recorded_task.hpp"

namespace artel::predict {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;

/// Workers that take tasks from one queue and slow each other: with k at work each goes at a speed
/// of 1 / (1 + slows × (k − 1)).
struct Machine {
  std::size_t workers = 4;
  double slows = 0.1;
  double rate = 250;  // tasks per second, of 10 ms on average, exponential
  std::uint64_t seed = 1;
  std::size_t runs = 0;  // so many tasks are short, then as many long, and again

  [[nodiscard]] trace::TaskTrace record(std::size_t count) const {
    struct AtWork {
      std::size_t task;
      double left_s;
    };
    random::Stream gaps(Seed{seed}, "gaps"), sizes(Seed{seed}, "sizes");
    const auto drawn = [](random::Stream& dice, double mean) {
      return -std::log(1 - dice.uniform()) * mean;
    };
    trace::TaskTrace trace;
    trace.header.loop = trace::Loop::open;
    trace.header.settings["pool.workers"] = std::to_string(workers);
    std::vector<double> work;
    std::vector<std::size_t> free;
    for (std::size_t w = workers; w-- > 0;) free.push_back(w);
    std::deque<std::size_t> waiting;
    std::vector<AtWork> busy;
    double now = 0, next = drawn(gaps, 1 / rate);
    while (trace.tasks.size() < count || !busy.empty()) {
      const double speed = 1 / (1 + slows * (static_cast<double>(busy.size()) - 1));
      const auto first = std::ranges::min_element(busy, {}, &AtWork::left_s);
      const double end =
          busy.empty() ? std::numeric_limits<double>::infinity() : now + first->left_s / speed;
      const bool arrives = next < end && trace.tasks.size() < count;
      const double until = arrives ? next : end;
      for (auto& one : busy) one.left_s -= (until - now) * speed;
      now = until;
      if (arrives) {
        const Duration at = from_seconds(now);
        waiting.push_back(trace.tasks.size());
        trace.tasks.push_back(task(0, at, at, at));
        const double longer = runs == 0 ? 1 : work.size() / runs % 2 == 0 ? 0.6 : 1.4;
        work.push_back(drawn(sizes, 0.010 * longer));
        next += drawn(gaps, 1 / rate);
      } else {
        auto& ended = trace.tasks[first->task];
        ended.finished = Instant{from_seconds(now)};
        free.push_back(index(ended.worker));
        busy.erase(first);
      }
      while (!waiting.empty() && !free.empty()) {
        auto& begun = trace.tasks[waiting.front()];
        begun.worker = WorkerId{static_cast<std::uint32_t>(free.back())};
        begun.started = Instant{from_seconds(now)};
        busy.push_back({waiting.front(), work[waiting.front()]});
        free.pop_back();
        waiting.pop_front();
      }
    }
    return trace;
  }
};

TEST(ContentionFit, TellsHowMuchTasksSlowEachOther) {
  for (const double slows : {0.05, 0.1, 0.3}) {
    const auto trace = Machine{.slows = slows, .rate = 180}.record(40'000);
    const auto fit = fit_contention(trace.tasks);
    EXPECT_NEAR(fit.per_task, slows, 0.25 * slows + 0.01) << slows;
    EXPECT_EQ(fit.seen_most, 4U);
  }
}

TEST(ContentionFit, WhoDoesNotSlowEachOtherIsNotBlamed) {
  int blamed = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto trace = Machine{.slows = 0, .seed = seed}.record(4'000);
    if (fit_contention(trace.tasks).per_task > 0) ++blamed;
  }
  EXPECT_LE(blamed, 1) << "three standard errors on one side: one in 700";
}

TEST(ContentionFit, LongTasksThatMeetAreNotTakenForIt) {
  Machine machine{.slows = 0};
  machine.runs = 50;
  const auto trace = machine.record(20'000);
  EXPECT_EQ(fit_contention(trace.tasks).per_task, 0);
}

TEST(ContentionFit, OneWorkerShowsNothing) {
  const auto fit = fit_contention(Machine{.workers = 1, .rate = 80}.record(4'000).tasks);
  EXPECT_EQ(fit.per_task, 0);
  EXPECT_EQ(fit.tasks, 0U) << "all had the same beside them";
  EXPECT_EQ(fit_contention({}).per_task, 0);
}

TEST(BusyTimes, CountWhatIsAtWorkAtOnce) {
  const std::vector<trace::TaskRecord> tasks{task(0, 0ms, 0ms, 10ms), task(1, 0ms, 4ms, 8ms)};
  const auto busy = busy_times(tasks);
  EXPECT_EQ(busy.most(), 2U);
  EXPECT_EQ(busy.at[1], Duration{6ms});
  EXPECT_EQ(busy.at[2], Duration{4ms});
  // Of 14 ms of work 8 ms are beside one other.
  EXPECT_NEAR(busy.beside(), 8.0 / 14, 1e-9);
}

// What the same load would be like on the same machine with more workers, and what is foretold.
TEST(WhatIf, KnowsThatMoreWorkersSlowEachOtherMore) {
  Machine machine{.workers = 3, .slows = 0.1, .rate = 210};
  const auto recorded = machine.record(30'000);
  machine.workers = 6;
  const auto truth = figures_of(machine.record(30'000).tasks, 6);
  const auto calibration = calibrate(recorded);
  ASSERT_TRUE(calibration);
  auto after = calibration->recorded;
  after.pool.speeds.assign(6, 1.0);
  after.pool.queue_bounds.assign(6, 1);
  const auto foretold =
      what_if(calibration->recorded, after, 1, 1, {}, {}, calibration->contention);
  ASSERT_TRUE(foretold);
  EXPECT_GT(foretold->work, 1.01);
  EXPECT_THAT(foretold->notes, Contains(HasSubstr("times as long as recorded")));
  const auto blind = what_if(calibration->recorded, after, 1, 1);
  ASSERT_TRUE(blind);
  for (const auto figure : {Figure::mean_response, Figure::p50_response, Figure::p99_response}) {
    EXPECT_GE(truth[figure], foretold->low[figure]) << name(figure);
    EXPECT_LE(truth[figure], foretold->high[figure]) << name(figure);
    EXPECT_LT(std::abs(foretold->after.figures[figure] - truth[figure]),
              std::abs(blind->after.figures[figure] - truth[figure]))
        << name(figure);
  }
}

// Nothing in the recording tells; the range has to hold it.
TEST(WhatIf, TheRangeHoldsASlowdownThatOneWorkerCouldNotShow) {
  Machine machine{.workers = 1, .slows = 0.08, .rate = 75};
  const auto recorded = machine.record(20'000);
  machine.workers = 2;
  const auto truth = figures_of(machine.record(20'000).tasks, 2);
  const auto calibration = calibrate(recorded);
  ASSERT_TRUE(calibration);
  auto after = calibration->recorded;
  after.pool.speeds.assign(2, 1.0);
  after.pool.queue_bounds.assign(2, 1);
  const auto foretold =
      what_if(calibration->recorded, after, 1, 1, {}, {}, calibration->contention);
  ASSERT_TRUE(foretold);
  EXPECT_NEAR(foretold->unseen, 0.1, 1e-9);
  for (const auto figure :
       {Figure::mean_response, Figure::p50_response, Figure::p95_response, Figure::p99_response}) {
    EXPECT_GE(truth[figure], foretold->low[figure]) << name(figure);
    EXPECT_LE(truth[figure], foretold->high[figure]) << name(figure);
  }
}

}  // namespace
}  // namespace artel::predict
