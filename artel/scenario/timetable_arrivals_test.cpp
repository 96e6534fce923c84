#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::scenario {
namespace {

using namespace std::chrono_literals;

Instant at(double seconds) { return Instant{from_seconds(seconds)}; }

// 0 at 10 s, 4 at 30 s, a day of 100 s: the rate falls from 4 back to 0 over 80 s and midnight.
TimetableArrivals peak() {
  return {.points = {{.at = 10s, .rate = 0}, {.at = 30s, .rate = 4}}, .day = 100s};
}

TEST(TimetableArrivals, TasksOfADayAreTheAreaBelowTheLine) {
  EXPECT_DOUBLE_EQ(peak().tasks_per_day(), 200);
}

TEST(TimetableArrivals, FollowsTheLineWithinAPart) {
  // 0.1 · x² tasks come within x after 10 s.
  EXPECT_EQ(peak().after(at(10), 10), at(20));
  EXPECT_EQ(peak().after(at(20), 30), at(30));
  EXPECT_EQ(peak().after(at(10), 40), at(30)) << "a whole part";
}

TEST(TimetableArrivals, GoesOnOverMidnightAndForDays) {
  // From 30 s on: 4 x - 0.025 x²; 160 in all.
  EXPECT_EQ(peak().after(at(30), 160), at(110));
  EXPECT_EQ(peak().after(at(90), 10), at(110)) << "what is left: 0.025 · 20²";
  EXPECT_EQ(peak().after(at(105), 10.625), at(120)) << "before the first point it is yesterday's";
  EXPECT_EQ(peak().after(at(20), 200 * 1000 + 30), at(100 * 1000 + 30));
}

TEST(TimetableArrivals, OfOnePointIsConstant) {
  const TimetableArrivals even{.points = {{.at = 5s, .rate = 2}}, .day = 60s};
  EXPECT_DOUBLE_EQ(even.tasks_per_day(), 120);
  EXPECT_EQ(even.after(at(0), 3), at(1.5));
  EXPECT_EQ(even.after(at(4), 300), at(154));
}

// Two steps lead where one leads that is as long.
RC_GTEST_PROP(TimetableArrivals, StepsAddUp, ()) {
  const auto rates = *rc::gen::container<std::vector<unsigned>>(
      4, rc::gen::resize(20, rc::gen::arbitrary<unsigned>()));
  TimetableArrivals table{.points = {}, .day = 40s};
  for (std::size_t i = 0; i < rates.size(); ++i)
    table.points.push_back({.at = i * 10s, .rate = static_cast<double>(rates[i])});
  RC_PRE(table.tasks_per_day() > 0);
  const auto from = at(*rc::gen::inRange(0, 1000) / 10.0);
  const double first = *rc::gen::inRange(1, 5000) / 10.0;
  const double second = *rc::gen::inRange(1, 5000) / 10.0;
  const auto there = table.after(table.after(from, first), second);
  const auto at_once = table.after(from, first + second);
  // Where the rate is next to nothing, a rounded nanosecond of work is a long time.
  RC_ASSERT(std::abs(to_seconds(there - at_once)) < 1e-3);
  RC_ASSERT(there > from);
}

constexpr const char* kDay = R"(
[workload]
arrivals = { kind = "timetable", points = [{ at = "8h", rate = 2 }, { at = "20h", rate = 10 }] }
service  = { distribution = "exponential", mean = "1s" }
[pool]
workers = 12
[dispatch]
policies = ["central"]
)";

TEST(TimetableArrivals, OfAScenarioRunForADay) {
  const auto scenario = parse_scenario(kDay, "day.toml");
  ASSERT_TRUE(scenario) << to_string(scenario.error().front());
  EXPECT_DOUBLE_EQ(scenario->workload.rate, 6);
  EXPECT_DOUBLE_EQ(scenario->load(), 0.5);
  EXPECT_EQ(scenario->run.duration, Duration{24h});
  EXPECT_FALSE(scenario->run.tasks);
}

TEST(TimetableArrivals, ALoadScalesTheRates) {
  std::string text = kDay;
  text.replace(text.find("points"), 6, "load = 0.25, points");
  const auto scenario = parse_scenario(text, "day.toml");
  ASSERT_TRUE(scenario) << to_string(scenario.error().front());
  EXPECT_DOUBLE_EQ(scenario->workload.rate, 3);
  EXPECT_DOUBLE_EQ(std::get<TimetableArrivals>(scenario->workload.arrivals).points[1].rate, 5);
}

std::string day_errors(const std::string& points) {
  std::string text = kDay;
  const auto from = text.find("points");
  text.replace(from, text.find("] }", from) + 1 - from, "points = " + points);
  const auto scenario = parse_scenario(text, "day.toml");
  return scenario ? "none" : to_string(scenario.error().front());
}

TEST(TimetableArrivals, WhatIsWrongIsNamed) {
  EXPECT_EQ(day_errors(R"([{ at = "8h", rate = 2 }, { at = "8h", rate = 3 }])"),
            "day.toml:3:76: workload.arrivals.points.at: found 8.00 h, allowed: later than the "
            "one before, within the day of 1.00 d");
  EXPECT_EQ(day_errors(R"([{ at = "24h", rate = 2 }])"),
            "day.toml:3:51: workload.arrivals.points.at: found 1.00 d, allowed: later than the "
            "one before, within the day of 1.00 d");
  EXPECT_EQ(day_errors(R"([{ at = "8h", rate = 0 }])"),
            "day.toml:3:43: workload.arrivals.points: no task ever arrives; expected a rate above "
            "0");
}

}  // namespace
}  // namespace artel::scenario
