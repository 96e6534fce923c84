#include "artel/watch/fleet_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/scaling/predictive.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/watch/watch_report.hpp"

namespace artel::watch {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr Instant kStart{Duration{std::int64_t{1'790'000'000} * 1'000'000'000}};

FleetWatch some_watch(WatchOptions options) {
  if (options.slo.empty()) options.slo = {"p99<500ms"};
  auto made = FleetWatch::make(std::move(options));
  EXPECT_TRUE(made) << to_string(made.error());
  return *std::move(made);
}

WatchForecast next_of(const WatchReport& report) {
  EXPECT_TRUE(report.next) << report.no_answer;
  return report.next.value_or(WatchForecast{});
}

WatchScore last_of(const WatchReport& report) {
  EXPECT_TRUE(report.last);
  return report.last.value_or(WatchScore{});
}

// Equal to nothing, and near nothing, if it is not there.
double known(const std::optional<double>& value) { return value.value_or(std::nan("")); }

/// Servers with one queue, in simulated time: Poisson arrivals, exponential work of 0.1 s.
class SimulatedFleet {
 public:
  explicit SimulatedFleet(std::size_t workers) {
    for (std::size_t i = 0; i < workers; ++i) free_.push(kStart);
  }

  // Lets `watch` see all that comes until then, at a rate that depends on the time since the start.
  void run(FleetWatch& watch, Instant until, const std::function<double(double)>& rate) {
    while (at_ < until) {
      const double now_rate = rate(to_seconds(at_ - kStart));
      at_ = later(at_, from_seconds(std::exponential_distribution<>(now_rate)(dice_)));
      trace::TaskRecord task{.submitted = at_, .bound = at_};
      task.started = std::max(at_, free_.top());
      task.finished = later(task.started, from_seconds(std::exponential_distribution<>(10)(dice_)));
      free_.pop();
      free_.push(task.finished);
      watch.add(task);
    }
  }

 private:
  std::mt19937_64 dice_{7};
  Instant at_ = kStart;
  std::priority_queue<Instant, std::vector<Instant>, std::greater<>> free_;
};

TEST(FleetWatch, ForetellsASteadyLoad) {
  auto watch = some_watch({.workers = 8, .horizon = 10min});
  SimulatedFleet fleet(8);
  const auto steady = [](double) { return 40.0; };  // 4 of 8 workers are busy
  fleet.run(watch, kStart + 10min, steady);
  const auto first = watch.report(kStart + 10min);
  EXPECT_EQ(first.no_answer, "");
  EXPECT_NEAR(next_of(first).rate, 40, 2);
  EXPECT_FALSE(first.last);
  EXPECT_EQ(next_of(first).workers, 8U);
  EXPECT_FALSE(next_of(first).workers_guessed);
  EXPECT_FALSE(next_of(first).overloaded);
  EXPECT_NEAR(known(next_of(first).p99_s), known(first.p99_s), 0.1 * known(first.p99_s));
  EXPECT_LE(known(next_of(first).p99_low_s), known(next_of(first).p99_s));
  EXPECT_GE(known(next_of(first).p99_high_s), known(next_of(first).p99_s));
  // M/M/c at 4 Erlang, p99 of the response below 0.5 s: work alone has 0.461 s.
  EXPECT_GE(next_of(first).workers_needed.value_or(0), 6U);
  EXPECT_LE(next_of(first).workers_needed.value_or(99), 8U);
  EXPECT_EQ(next_of(first).policy, "central");

  fleet.run(watch, kStart + 21min, steady);
  const auto second = watch.report(kStart + 21min);
  EXPECT_EQ(last_of(second).forecast.made, next_of(first).made);
  EXPECT_LT(std::abs(known(last_of(second).rate_error())), 0.05);
  EXPECT_LT(std::abs(known(last_of(second).p99_error())), 0.1);
  const auto summary = watch.summary();
  EXPECT_EQ(summary.reports, 2U);
  EXPECT_EQ(summary.answers, 2U);
  EXPECT_EQ(summary.scored, 1U);
  EXPECT_EQ(summary.p99_scored, 1U);
  EXPECT_EQ(summary.rate_error, std::abs(known(last_of(second).rate_error())));
}

// Rates that lie on no line are level ahead.
TEST(FleetWatch, TakesChanceForNoTrend) {
  auto watch = some_watch({.workers = 8, .horizon = 10min});
  SimulatedFleet fleet(8);
  fleet.run(watch, kStart + 10min, [](double) { return 40.0; });
  const auto report = watch.report(kStart + 10min);
  EXPECT_NEAR(next_of(report).rate, known(report.rate), 1e-9);
  EXPECT_NEAR(next_of(report).rate_most, next_of(report).rate, 1e-9);
}

TEST(FleetWatch, ScoresAForecastWhenItsTimeIsOver) {
  auto watch = some_watch({.workers = 8, .horizon = 10min});
  SimulatedFleet fleet(8);
  const auto seen_at = [&](Duration at) {
    fleet.run(watch, kStart + at, [](double) { return 40.0; });
    return watch.report(kStart + at);
  };
  const auto made = next_of(seen_at(10min)).made;
  EXPECT_FALSE(seen_at(15min).last);
  EXPECT_FALSE(seen_at(made - kStart + 10min).last);  // what came last is not known yet
  EXPECT_EQ(last_of(seen_at(made - kStart + 11min)).forecast.made, made);
  EXPECT_EQ(watch.summary().scored, 1U);
}

// Lets `watch` see four tasks in each second of [begin, end), none of which takes any time.
void run_evenly(FleetWatch& watch, Instant begin, Instant end) {
  for (auto at = begin; at < end; at += 250ms)
    watch.add({.submitted = at, .bound = at, .started = at, .finished = at});
}

TEST(FleetWatch, LeavesOutThePartInWhichItBegan) {
  auto watch = some_watch({.workers = 8, .horizon = 10min});
  run_evenly(watch, kStart + 5s, kStart + 1min);  // half of the first part is missing
  EXPECT_NEAR(known(watch.report(kStart + 1min).rate), 4, 1e-9);

  auto counts = some_watch({.horizon = 10min});
  for (auto at = kStart + 5s; at < kStart + 1min; at += 5s) counts.add(at, at + 5s, 20, 1, 8);
  EXPECT_NEAR(known(counts.report(kStart + 1min).rate), 4, 1e-9);
}

TEST(FleetWatch, KnowsTimesBefore1970) {
  auto watch = some_watch({.workers = 8, .horizon = 10min});
  run_evenly(watch, Instant{-5min}, Instant{5min});
  EXPECT_NEAR(known(watch.report(Instant{5min}).rate), 4, 1e-9);
}

TEST(FleetWatch, GoesOnWithARise) {
  auto watch = some_watch({.workers = 20, .horizon = 10min});
  SimulatedFleet fleet(20);
  // From 20 to 40 in the first ten minutes, to 60 in the next.
  fleet.run(watch, kStart + 10min, [](double s) { return 20 + s / 30; });
  const auto report = watch.report(kStart + 10min);
  EXPECT_NEAR(known(report.rate), 30, 2);
  EXPECT_NEAR(next_of(report).rate, 50, 4);
  EXPECT_NEAR(next_of(report).rate_most, 60, 5);
  EXPECT_GE(next_of(report).workers_needed.value_or(0), 9U);  // the mean rate needs one less
}

TEST(FleetWatch, IsNoFurtherAheadThanItSawBehind) {
  auto watch = some_watch({.workers = 20, .horizon = 10min});
  SimulatedFleet fleet(20);
  fleet.run(watch, kStart + 3min, [](double s) { return 20 + s / 6; });  // to 50
  const auto report = watch.report(kStart + 3min);
  EXPECT_LT(next_of(report).rate_most, 95);  // a line for ten minutes would be at 150
  EXPECT_GT(next_of(report).rate_most, 60);
}

TEST(FleetWatch, SaysWhenItKnowsTooLittle) {
  auto watch = some_watch({.workers = 8, .horizon = 10min});
  const auto nothing = watch.report(kStart);
  EXPECT_EQ(nothing.no_answer, "nothing was seen yet");
  EXPECT_FALSE(nothing.next);
  SimulatedFleet fleet(8);
  fleet.run(watch, kStart + 30s, [](double) { return 40.0; });
  const auto early = watch.report(kStart + 30s);
  EXPECT_THAT(early.no_answer, HasSubstr("too little was seen: "));
  EXPECT_FALSE(early.next);
  EXPECT_EQ(watch.summary().answers, 0U);

  auto slow = some_watch({.workers = 8, .horizon = 10min});
  SimulatedFleet idle(8);
  idle.run(slow, kStart + 10min, [](double) { return 0.1; });
  const auto few = slow.report(kStart + 10min);
  EXPECT_THAT(few.no_answer, HasSubstr("too few tasks came"));
  EXPECT_FALSE(few.next);
}

// A log has tasks that are over: that the newest are missing is no decline.
TEST(FleetWatch, TasksUnderWayAreNotMissed) {
  auto watch = some_watch({.slo = {"p99<2min"}, .workers = 200, .horizon = 10min});
  for (int i = 0; i < 1200; ++i) {  // two a second, each for a minute
    const auto at = kStart + i * 500ms;
    const trace::TaskRecord task{
        .submitted = at, .bound = at, .started = at, .finished = at + 1min};
    if (task.finished <= kStart + 10min) watch.add(task);
  }
  const auto report = watch.report(kStart + 10min);
  EXPECT_NEAR(known(report.rate), 2, 0.01);
  EXPECT_NEAR(next_of(report).rate, 2, 0.01);
}

TEST(FleetWatch, ASourceThatFallsSilentHasNoTasks) {
  auto watch = some_watch({.workers = 8, .horizon = 10min});
  SimulatedFleet fleet(8);
  fleet.run(watch, kStart + 10min, [](double) { return 40.0; });
  static_cast<void>(watch.report(kStart + 10min));
  const auto later = watch.report(kStart + 25min);
  EXPECT_THAT(later.no_answer, HasSubstr("too few tasks came: 0 of 100"));
  EXPECT_GT(last_of(later).rate_error().value_or(0), 10);  // the forecast was wrong, and it shows
}

TEST(FleetWatch, SaysWhenTheFleetCannotKeepUp) {
  auto watch = some_watch({.workers = 3, .horizon = 10min});
  SimulatedFleet fleet(30);  // the log is of more workers than it is told
  fleet.run(watch, kStart + 10min, [](double) { return 40.0; });
  const auto report = watch.report(kStart + 10min);
  EXPECT_TRUE(next_of(report).overloaded);
  EXPECT_FALSE(next_of(report).p99_s);
  EXPECT_GE(next_of(report).workers_needed.value_or(0), 6U);
  EXPECT_THAT(report_line(report, 10min, "p99<500ms"), HasSubstr("3 workers cannot keep up"));
}

TEST(FleetWatch, NoFleetIsNoAnswer) {
  auto watch = some_watch({.slo = {"p99<1ms"}, .workers = 8, .horizon = 10min});
  SimulatedFleet fleet(8);
  fleet.run(watch, kStart + 10min, [](double) { return 4.0; });
  const auto report = watch.report(kStart + 10min);
  EXPECT_EQ(next_of(report).workers_needed, std::nullopt);
  EXPECT_THAT(report_line(report, 10min, "p99<1ms"),
              HasSubstr("no answer: no number of workers meets the objectives"));
  EXPECT_EQ(watch.summary().answers, 0U);
}

TEST(FleetWatch, NumbersAloneAreATextbookQueue) {
  auto watch = some_watch({.slo = {"mean_wait<20ms"}, .horizon = 10min});
  for (int i = 0; i < 41; ++i) {  // 40 tasks a second, of 0.1 s each
    const auto from = kStart + i * 15s;
    watch.add(from, from + 15s, 600, 60, 8);
  }
  const auto report = watch.report(kStart + 10min);
  EXPECT_NEAR(next_of(report).rate, 40, 1e-6);
  EXPECT_EQ(next_of(report).workers, 8U);
  // Erlang C: the mean wait is C(c, 4) / (10 c - 40).
  std::uint32_t enough = 5;
  while (scaling::erlang_c(enough, 4) / (10 * enough - 40) >= 0.02) ++enough;
  EXPECT_EQ(next_of(report).workers_needed, enough);
  EXPECT_FALSE(report.p99_s);
}

TEST(FleetWatch, RefusesWhatMakesNoSense) {
  EXPECT_EQ(FleetWatch::make({.slo = {}}).error().where, "slo");
  EXPECT_EQ(FleetWatch::make({.slo = {"p98<1s"}}).error().where.substr(0, 3), "slo");
  EXPECT_EQ(FleetWatch::make({.slo = {"p99<1s"}, .policy = "x("}).error().where.substr(0, 6),
            "policy");
  EXPECT_EQ(FleetWatch::make({.slo = {"p99<1s"}, .horizon = 1s}).error().where, "horizon");
}

TEST(FleetWatch, TheSameTasksGiveTheSameWords) {
  std::string lines[2];
  for (auto& text : lines) {
    auto watch = some_watch({.workers = 8, .horizon = 10min});
    SimulatedFleet fleet(8);
    for (int i = 1; i <= 3; ++i) {
      fleet.run(watch, kStart + i * 5min, [](double) { return 40.0; });
      text += report_json(watch.report(kStart + i * 5min), 10min) + "\n";
    }
  }
  EXPECT_EQ(lines[0], lines[1]);
  EXPECT_THAT(lines[0], HasSubstr("\"schema\": \"artel.watch/1\""));
}

}  // namespace
}  // namespace artel::watch
