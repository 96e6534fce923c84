// Why a back-test is off: each reason is said where it is so, and nowhere else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/predict/backtest.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/predict/recorded_queue.hpp"

namespace artel::predict {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kReasonTasks = 40'000;
constexpr double kReasonRate = 2;  // per second: five and a half hours

/// Four workers, of whom each is 80% busy.
struct TestedRun {
  int stated = 4;  // workers, as the trace says
  double rate_of_rest = kReasonRate;
  std::function<double(int task, double at_s)> factor = [](int, double) { return 1.0; };
};

std::vector<std::string> reasons_of(const TestedRun& recording) {
  auto trace = RecordedQueue{.seed = 7,
                             .tasks = kReasonTasks,
                             .stated = recording.stated,
                             .rate = kReasonRate,
                             .rate_of_rest = recording.rate_of_rest,
                             .mean_s = 1.6,
                             .factor = recording.factor}
                   .trace();
  trace.header.wall = Duration{0};
  const auto test = backtest(trace);
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
