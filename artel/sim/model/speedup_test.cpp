#include "artel/sim/model/speedup.hpp"

#include <gtest/gtest.h>

namespace artel::sim {
namespace {

// 1 / (0.5 + 0.5/4) = 1/0.625 = 1.6
TEST(Speedup, AmdahlsLaw) {
  const Speedup speedup = amdahl_speedup(0.5);
  EXPECT_DOUBLE_EQ(speedup(1), 1);
  EXPECT_DOUBLE_EQ(speedup(4), 1.6);
  EXPECT_DOUBLE_EQ(amdahl_speedup(0)(8), 8);
  EXPECT_DOUBLE_EQ(amdahl_speedup(1)(8), 1);
}

TEST(Speedup, OfMeasuredOnesTheLastHoldsForMoreCores) {
  const Speedup speedup = measured_speedup({1, 1.9, 2.5});
  EXPECT_EQ(speedup(1), 1);
  EXPECT_EQ(speedup(2), 1.9);
  EXPECT_EQ(speedup(3), 2.5);
  EXPECT_EQ(speedup(64), 2.5);
}

TEST(SpeedupDeathTest, RefusesWhatMakesNoSense) {
  EXPECT_DEATH(static_cast<void>(amdahl_speedup(1.5)), "serial part lies between 0 and 1");
  EXPECT_DEATH(static_cast<void>(measured_speedup({})), "measured for one core at least");
  EXPECT_DEATH(static_cast<void>(measured_speedup({1, 0})), "speedup is positive");
}

}  // namespace
}  // namespace artel::sim
