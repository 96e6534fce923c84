#include "artel/stat/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace artel::stat {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11U) * 0x1p-53; }

/// The sum of 12 uniform numbers, less 6: mean 0, variance 1, all but normal.
double normal(std::mt19937_64& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform(random);
  return sum;
}

TEST(MeanInterval, IsStudents) {
  // t(0.975, 4) = 2.7764451051977987, from tables; s² = 2.5
  const auto interval = mean_interval(std::vector<double>{1, 2, 3, 4, 5}, 0.95);
  EXPECT_EQ(interval.center, 3.0);
  EXPECT_NEAR(interval.half_width, 2.7764451051977987 * std::sqrt(2.5 / 5), 1e-14);
  EXPECT_EQ(interval.level, 0.95);
  EXPECT_TRUE(interval.contains(1.04));
  EXPECT_FALSE(interval.contains(1.03));
  EXPECT_FALSE(interval.contains(4.97));
  EXPECT_NEAR(interval.relative(), 0.6544142, 1e-6);
}

TEST(MeanInterval, EqualNumbersLeaveNoDoubt) {
  const auto interval = mean_interval(std::vector<double>{2, 2, 2}, 0.99);
  EXPECT_EQ(interval.low(), 2.0);
  EXPECT_EQ(interval.high(), 2.0);
}

TEST(MeanInterval, OneReplicationSaysNothingAboutTheSpread) {
  const auto interval = mean_interval(std::vector<double>{2}, 0.99);
  EXPECT_EQ(interval.center, 2.0);
  EXPECT_EQ(interval.half_width, kInfinity);
  EXPECT_TRUE(interval.contains(1e300));
}

TEST(MeanInterval, NoReplicationSaysNothing) {
  const auto interval = mean_interval({}, 0.99);
  EXPECT_TRUE(std::isnan(interval.center));
  EXPECT_EQ(interval.half_width, kInfinity);
  EXPECT_FALSE(interval.contains(0));
}

TEST(MeanInterval, RelativeWidthIgnoresTheSign) {
  EXPECT_EQ((Interval{.center = -2, .half_width = 1, .level = 0.9}).relative(), 0.5);
  EXPECT_EQ((Interval{.center = 0, .half_width = 1, .level = 0.9}).relative(), kInfinity);
}

TEST(MeanInterval, CoversTheTruthAsOftenAsItSays) {
  std::mt19937_64 random(1);
  const int runs = 4000;
  for (const double level : {0.8, 0.95, 0.99}) {
    int covered = 0;
    for (int run = 0; run < runs; ++run) {
      std::vector<double> values(6);
      for (double& value : values) value = 10 + normal(random);
      covered += mean_interval(values, level).contains(10) ? 1 : 0;
    }
    const double standard_error = std::sqrt(level * (1 - level) / runs);
    EXPECT_NEAR(static_cast<double>(covered) / runs, level, 4 * standard_error) << level;
  }
}

TEST(MeanIntervalDeathTest, RefusesALevelOfOne) {
  EXPECT_DEATH(static_cast<void>(mean_interval({}, 1)), "confidence level");
}

TEST(Interval, GivesTheSameBitsOnEveryCompiler) {
  const std::vector<double> two{0, 1};
  const std::vector<double> many{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4};
  EXPECT_EQ(mean_interval(two, 0.99).half_width, 0x1.fd410182c3c3p+4);
  EXPECT_EQ(mean_interval(many, 0.95).half_width, 0x1.4389cbb4b5e27p+0);
  EXPECT_EQ(mean_interval(many, 0.99).half_width, 0x1.ba3dca2f0b9adp+0);
}

}  // namespace
}  // namespace artel::stat
