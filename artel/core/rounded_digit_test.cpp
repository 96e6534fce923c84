#include "artel/core/rounded_digit.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace artel {
namespace {

TEST(RoundedDigit, SharesThatPeopleWriteAreWhole) {
  for (int share = 0; share <= 100; ++share) {
    for (const double whole : {100.0, 1000.0, 1e5}) {
      const double expected = share * whole / 100;
      EXPECT_EQ(near_floor(0.01 * share * whole), expected) << share;
      EXPECT_EQ(near_ceil(0.01 * share * whole), expected) << share;
    }
  }
}

TEST(RoundedDigit, OtherNumbersAreNot) {
  EXPECT_EQ(near_floor(28.999), 28);
  EXPECT_EQ(near_floor(-0.001), -1);
  EXPECT_EQ(near_ceil(55.001), 56);
  EXPECT_EQ(near_ceil(-0.001), 0);
  EXPECT_EQ(near_ceil(INFINITY), INFINITY);
}

}  // namespace
}  // namespace artel
