#include "artel/core/deadline.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel {
namespace {

using Seconds = std::chrono::duration<double>;

TEST(Deadline, DurationsSaturateAtBothEnds) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(to_duration(Seconds(1.5)), std::chrono::milliseconds(1500));
  EXPECT_EQ(to_duration(Seconds(kInfinity)), Duration::max());
  EXPECT_EQ(to_duration(Seconds(-kInfinity)), Duration::min());
  EXPECT_EQ(to_duration(std::chrono::hours::max()), Duration::max());
  static_assert(to_duration(std::chrono::seconds(2)) == std::chrono::nanoseconds(2'000'000'000));
}

TEST(DeadlineDeathTest, NaNIsNoDurationAndNoTime) {
  const Seconds nan(std::nan(""));
  EXPECT_DEATH(static_cast<void>(to_duration(nan)), "not NaN");
  const std::chrono::time_point<std::chrono::steady_clock, Seconds> at(nan);
  EXPECT_DEATH(static_cast<void>(Deadline(at)), "not NaN");
}

}  // namespace
}  // namespace artel
