#include "artel/logs/detail/longest_gap.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/random/stream.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs::detail {
namespace {

using namespace std::chrono_literals;

// So many arrivals at random, one every ten seconds on average.
std::vector<trace::TaskRecord> arrivals(int count, Instant from) {
  random::Stream dice(Seed{1}, "arrivals");
  std::vector<trace::TaskRecord> tasks;
  for (int i = 0; i < count; ++i) {
    from += from_seconds(-10 * std::log1p(-dice.uniform()));
    tasks.push_back({.submitted = from});
  }
  return tasks;
}

TEST(LongestGap, ChanceIsNone) { EXPECT_FALSE(longest_gap(arrivals(5000, {}))); }

TEST(LongestGap, AnHourOfNothingIsOne) {
  auto tasks = arrivals(2000, {});
  const auto stopped = tasks.back().submitted;
  for (const auto& task : arrivals(2000, stopped + 1h)) tasks.push_back(task);
  ASSERT_TRUE(longest_gap(tasks));
  const auto gap = longest_gap(tasks).value_or(LogGap{});
  EXPECT_EQ(gap.after, stopped - tasks.front().submitted);
  EXPECT_GE(gap.length, Duration(1h));
}

TEST(LongestGap, AFewTasksTellNothing) {
  auto tasks = arrivals(20, {});
  tasks.push_back({.submitted = tasks.back().submitted + 5h});
  EXPECT_FALSE(longest_gap(tasks));
}

}  // namespace
}  // namespace artel::logs::detail
