#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs::detail {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A line as HAProxy 2.6 writes it when the request is over: `clock` is when it came.
std::string haproxy_line(const std::string& clock, std::int64_t ms) {
  return fmt::format(
      "10.0.1.3:1 [25/Oct/2026:{0}] in static/s 0/0/0/{1}/{1} 200 27 - - ---- 1/1/1/1/0 0/0 "
      "\"-\"\n",
      clock, ms);
}

struct SummerLog {
  LogReading reading;
  std::vector<std::int64_t> came_s;  // after the first
};

SummerLog read_summer(const std::string& text) {
  std::istringstream in(text);
  std::vector<Instant> came;
  SummerLog log{*read_log(in, "a.log", {},
                          [&](const trace::TaskRecord& task) { came.push_back(task.submitted); })};
  for (const auto at : came)
    log.came_s.push_back(static_cast<std::int64_t>(to_seconds(at - came.front())));
  return log;
}

TEST(SummerTime, ItsEndIsNoStepBack) {
  const auto log = read_summer(haproxy_line("02:59:59.000", 9) + haproxy_line("02:00:00.000", 9) +
                               haproxy_line("03:30:00.000", 9));
  EXPECT_THAT(log.came_s, ElementsAre(0, 1, 5401));
  EXPECT_EQ(log.reading.clock_changes, 1U);
}

TEST(SummerTime, ATunnelOfAnHourIsNoChange) {
  const auto log =
      read_summer(haproxy_line("10:00:01.000", 9) + haproxy_line("11:00:00.000", 9) +
                  haproxy_line("10:00:02.000", 3'600'000) + haproxy_line("11:00:03.000", 9));
  EXPECT_THAT(log.came_s, ElementsAre(0, 3599, 1, 3602));
  EXPECT_EQ(log.reading.clock_changes, 0U);
}

TEST(SummerTime, WhatBeganBeforeItsEndAndEndedAfterItIsNotMoved) {
  const auto log =
      read_summer(haproxy_line("02:59:50.000", 9) + haproxy_line("02:00:05.000", 9) +
                  haproxy_line("02:59:55.000", 20'000) + haproxy_line("02:40:00.000", 1'220'000) +
                  haproxy_line("02:00:30.000", 9) + haproxy_line("02:59:55.000", 9));
  EXPECT_THAT(log.came_s, ElementsAre(0, 15, 5, -1190, 40, 3605));
  EXPECT_EQ(log.reading.clock_changes, 1U);
}

TEST(SummerTime, ItsBeginLeavesOutAnHourOfABusyLog) {
  std::string text;
  for (int i = 0; i < 120; ++i)
    text += haproxy_line(fmt::format("01:58:{:02}.{}", i / 2, i % 2 * 5), 9);
  const auto quiet =
      read_summer(text + haproxy_line("03:00:01.000", 9));  // a minute of nothing came before
  EXPECT_EQ(quiet.came_s.back(), 3721);
  EXPECT_EQ(quiet.reading.clock_jumps, 0U);
  for (int i = 0; i < 120; ++i)
    text += haproxy_line(fmt::format("01:59:{:02}.{}", i / 2, i % 2 * 5), 9);
  const auto log =
      read_summer(text + haproxy_line("03:00:01.000", 9) + haproxy_line("03:00:02.000", 9));
  EXPECT_EQ(log.came_s.back(), 122);
  EXPECT_EQ(log.reading.clock_jumps, 1U);
  EXPECT_THAT(log.reading.notes().back(), HasSubstr("summer time began"));
}

}  // namespace
}  // namespace artel::logs::detail
