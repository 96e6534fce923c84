// Why a back-test is off: each reason is said where it is so, and nowhere else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/predict/backtest.hpp"
#include "artel/random/stream.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kReasonTasks = 40'000;
constexpr double kReasonRate = 2;  // per second: five and a half hours

/// One queue; work takes 1.6 s on average, times what `factor` says of a task.
struct TestedRun {
  int workers = 4;
  int stated = 4;  // what the trace says
  double rate_of_rest = kReasonRate;
  std::function<double(int task, double at_s)> factor = [](int, double) { return 1.0; };

  [[nodiscard]] trace::TaskTrace trace() const {
    random::Stream arrivals(Seed{7}, "arrivals"), work(Seed{7}, "work");
    std::priority_queue<double, std::vector<double>, std::greater<>> free;
    for (int w = 0; w < workers; ++w) free.push(0);
    trace::TaskTrace trace;
    trace.header.settings = {{"pool.workers", std::to_string(stated)}, {"policy", "central"}};
    trace.header.wall = Duration{0};
    double now = 0;
    for (int i = 0; i < kReasonTasks; ++i) {
      now -= std::log(1 - arrivals.uniform()) / (i < kReasonTasks / 2 ? kReasonRate : rate_of_rest);
      const double service = -std::log(1 - work.uniform()) * 1.6 * factor(i, now);
      const double start = std::max(now, free.top());
      free.pop();
      free.push(start + service);
      trace::TaskRecord task;
      task.submitted = task.bound = Instant{from_seconds(now)};
      task.started = Instant{from_seconds(start)};
      task.finished = Instant{from_seconds(start + service)};
      trace.tasks.push_back(task);
    }
    return trace;
  }
};

std::vector<std::string> reasons_of(const TestedRun& recording) {
  const auto test = backtest(recording.trace());
  if (!test) return {to_string(test.error())};
  return test->reasons();
}

TEST(BacktestReasons, NoneWhereTheAssumptionsHold) { EXPECT_THAT(reasons_of({}), IsEmpty()); }

TEST(BacktestReasons, WorkThatChanges) {
  EXPECT_THAT(
      reasons_of({.factor = [](int task, double) { return task < kReasonTasks / 2 ? 1 : 1.12; }}),
      ElementsAre(HasSubstr("not stationary: work took 1")));
}

// Fifty short tasks, then fifty long ones, and again: half a minute each, so that no hour differs.
TEST(BacktestReasons, LongTasksThatMeet) {
  const auto in_runs = [](int task, double) { return task / 50 % 2 == 0 ? 0.4 : 1.6; };
  EXPECT_THAT(reasons_of({.factor = in_runs}),
              ElementsAre(HasSubstr("tasks beside each other take alike long")));
}

// In every second hour work takes longer; both halves have such hours.
TEST(BacktestReasons, WorkThatDependsOnTheTimeOfDay) {
  const auto by_hour = [](int, double at_s) {
    return static_cast<int>(at_s / 3600) % 2 == 0 ? 0.75 : 1.25;
  };
  const auto reasons = reasons_of({.factor = by_hour});
  ASSERT_FALSE(reasons.empty());
  EXPECT_THAT(reasons, ::testing::Contains(HasSubstr("depends on the time of day")));
  for (const auto& reason : reasons) EXPECT_THAT(reason, ::testing::Not(HasSubstr("beside each")));
}

// The trace says five workers; one of them never takes a task.
TEST(BacktestReasons, WaitingThatTheTraceDoesNotExplain) {
  EXPECT_THAT(reasons_of({.stated = 5}), ElementsAre(HasSubstr("hidden waiting")));
}

// The same, and the rest comes faster: that first.
TEST(BacktestReasons, AnotherRateThatShowsWhatTheFirstPartDidNot) {
  EXPECT_THAT(reasons_of({.stated = 5, .rate_of_rest = 1.22 * kReasonRate}),
              ElementsAre(HasSubstr("the rest came at a rate 2")));
}

}  // namespace
}  // namespace artel::predict
