#include "artel/stat/smoothed_time.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "artel/core/instant.hpp"

namespace artel::stat {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(SmoothedTime, KnowsLongTasksFromTheFirstOneOn) {
  SmoothedTime time;
  EXPECT_EQ(time.get(), Duration::zero());
  time.add(milliseconds(20));
  EXPECT_EQ(time.get(), milliseconds(20));
}

TEST(SmoothedTime, OneOutlierCountsAsEightTimesTheOldValue) {
  SmoothedTime time;
  time.add(nanoseconds(1000));
  time.add(milliseconds(20));
  EXPECT_EQ(time.get(), nanoseconds(1000 + (9000 - 1000) / 8));
}

TEST(SmoothedTime, StaysAboveZeroWhateverComes) {
  SmoothedTime time;
  for (int i = 0; i < 100; ++i) time.add(nanoseconds(-200));
  EXPECT_EQ(time.get(), Duration::zero());
  time.add(milliseconds(1));
  for (int i = 0; i < 100; ++i) time.add(Duration::min());
  EXPECT_GE(time.get(), Duration::zero());
  EXPECT_LT(time.get(), nanoseconds(10));
  for (int i = 0; i < 100; ++i) time.add(Duration::max());
  EXPECT_GT(time.get(), milliseconds(1));
}

TEST(SmoothedTime, FollowsWhatItSees) {
  SmoothedTime time;
  time.add(milliseconds(20));
  for (int i = 0; i < 100; ++i) time.add(nanoseconds(1000));
  EXPECT_LT(time.get(), nanoseconds(1100));
}

}  // namespace
}  // namespace artel::stat
