#include "artel/stat/time_average.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::stat {
namespace {

using namespace std::chrono_literals;

TEST(TimeAverage, WeighsEachValueByItsTime) {
  TimeAverage queued;
  queued.set(Instant{10s}, 3);
  queued.add(Instant{20s}, -1);
  EXPECT_EQ(queued.value(), 2.0);
  EXPECT_EQ(queued.mean(Instant{40s}), (10 * 0 + 10 * 3 + 20 * 2) / 40.0);
  EXPECT_EQ(queued.max(), 3.0);
}

TEST(TimeAverage, OverNoTimeIsTheValue) {
  const TimeAverage average(Instant{5s}, 7);
  EXPECT_EQ(average.mean(Instant{5s}), 7.0);
  EXPECT_EQ(average.max(), 7.0);
}

TEST(TimeAverage, MaxCountsAValueHeldForNoTime) {
  TimeAverage average;
  average.set(Instant{1s}, 9);
  average.set(Instant{1s}, 1);
  EXPECT_EQ(average.max(), 9.0);
  EXPECT_EQ(average.mean(Instant{2s}), 0.5);
}

TEST(TimeAverage, ResetForgetsTheWarmUpAndKeepsTheValue) {
  TimeAverage average;
  average.set(Instant{1s}, 100);
  average.set(Instant{2s}, 4);
  average.reset(Instant{10s});
  EXPECT_EQ(average.max(), 4.0);
  average.set(Instant{11s}, 2);
  EXPECT_EQ(average.mean(Instant{12s}), 3.0);
}

TEST(TimeAverageDeathTest, RefusesTimeGoingBack) {
  TimeAverage average(Instant{5s});
  EXPECT_DEATH(average.set(Instant{4s}, 1), "time goes forward");
  EXPECT_DEATH(static_cast<void>(average.mean(Instant{4s})), "time goes forward");
  EXPECT_DEATH(average.reset(Instant{4s}), "time goes forward");
}

RC_GTEST_PROP(TimeAverage, EqualsTheSumOverEveryNanosecond, ()) {
  const auto steps = *rc::gen::container<std::vector<std::pair<std::uint8_t, std::int16_t>>>(
      rc::gen::arbitrary<std::pair<std::uint8_t, std::int16_t>>());
  const auto last = *rc::gen::inRange(1, 50);
  const auto reset_at = *rc::gen::inRange<std::size_t>(0, steps.size() + 1);
  TimeAverage average;
  std::vector<int> held;  // the value during each nanosecond
  int value = 0;
  int value_max = 0;
  const auto now = [&held] { return Instant{Duration{held.size()}}; };
  Instant start{};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    held.resize(held.size() + steps[i].first, value);
    if (i == reset_at) {
      average.reset(now());
      start = now();
      value_max = value;
    }
    value = steps[i].second;
    value_max = std::max(value_max, value);
    average.set(now(), value);
  }
  held.resize(held.size() + static_cast<std::size_t>(last), value);
  double sum = 0;
  for (auto i = static_cast<std::size_t>(start.time_since_epoch().count()); i < held.size(); ++i) {
    sum += held[i];
  }
  RC_ASSERT(average.mean(now()) == sum / static_cast<double>((now() - start).count()));
  RC_ASSERT(average.max() == value_max);
}

}  // namespace
}  // namespace artel::stat
