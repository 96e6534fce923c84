#include "artel/dispatch/automatic_bound.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "artel/core/instant.hpp"

namespace artel::dispatch {
namespace {

using std::chrono::microseconds;

TEST(AutomaticBound, IsAsManyTasksAsMakeUpTheBoundWork) {
  EXPECT_EQ(automatic_bound(microseconds(10), true, kAutomaticCapacity), 10U);
  EXPECT_EQ(automatic_bound(kBoundWork, true, kAutomaticCapacity), 1U);
}

TEST(AutomaticBound, LongTasksAreBoundToIdleWorkersOnly) {
  EXPECT_EQ(automatic_bound(microseconds(101), true, kAutomaticCapacity), 0U);
  EXPECT_EQ(automatic_bound(microseconds(101), false, kAutomaticCapacity), 1U);
}

TEST(AutomaticBound, IsNeverMoreThanTheQueueHolds) {
  EXPECT_EQ(automatic_bound(Duration{0}, false, 64), 64U);
  EXPECT_EQ(automatic_bound(Duration{1}, true, kAutomaticCapacity), kAutomaticCapacity);
}

}  // namespace
}  // namespace artel::dispatch
