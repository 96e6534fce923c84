#include "artel/stat/interval.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "artel/stat/histogram.hpp"

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
  std::vector<double> sorted(1000);
  std::iota(sorted.begin(), sorted.end(), 0);
  EXPECT_EQ(order_interval(sorted, 0.9, 0.95).level, 0x1.e8e99813351bbp-1);
}

TEST(QuantileInterval, IsTheMeanIntervalOfTheQuantiles) {
  std::vector<Histogram> replications(4);
  for (std::uint64_t i = 0; i < 3; ++i) {  // the fourth stays empty
    for (std::uint64_t value = 1; value <= 100; ++value) replications[i].record(value + i);
  }
  const auto expected = mean_interval(std::vector<double>{90, 91, 92}, 0.95);
  const auto found = quantile_interval(replications, 0.9, 0.95);
  EXPECT_EQ(found.center, expected.center);
  EXPECT_EQ(found.half_width, expected.half_width);
}

TEST(OrderInterval, MedianOfTenLiesBetweenSecondAndNinth) {
  const auto interval =
      order_interval(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0.5, 0.95);
  EXPECT_EQ(interval.estimate, 5.0);
  EXPECT_EQ(interval.low, 2.0);
  EXPECT_EQ(interval.high, 9.0);
  EXPECT_NEAR(interval.level, 1 - 2 * 11.0 / 1024, 1e-12);
}

TEST(OrderInterval, P99HasNoUpperBoundBelow528Values) {
  std::vector<double> sorted(528, 1.0);
  EXPECT_EQ(order_interval(sorted, 0.99, 0.99).high, 1.0);
  sorted.pop_back();
  EXPECT_EQ(order_interval(sorted, 0.99, 0.99).high, kInfinity);
}

TEST(OrderInterval, OfNothingIsEverything) {
  const auto interval = order_interval({}, 0.5, 0.95);
  EXPECT_TRUE(std::isnan(interval.estimate));
  EXPECT_TRUE(interval.contains(1e300));
  EXPECT_TRUE(interval.contains(-1e300));
}

TEST(OrderInterval, EndsOfTheRangeHaveOneBound) {
  const std::vector<double> sorted{1, 2, 3};
  const auto smallest = order_interval(sorted, 0, 0.9);
  EXPECT_EQ(smallest.low, -kInfinity);
  EXPECT_EQ(smallest.high, 1.0);
  const auto largest = order_interval(sorted, 1, 0.9);
  EXPECT_EQ(largest.low, 3.0);
  EXPECT_EQ(largest.high, kInfinity);
}

TEST(OrderInterval, CoversTheTruthAtLeastAsOftenAsItSays) {
  std::mt19937_64 random(2);
  const int runs = 2000;
  for (const double p : {0.1, 0.5, 0.95}) {
    int covered = 0;
    double level = 0;
    for (int run = 0; run < runs; ++run) {
      std::vector<double> values(200);
      for (double& value : values) value = uniform(random);
      std::sort(values.begin(), values.end());
      const auto interval = order_interval(values, p, 0.9);
      covered += interval.contains(p) ? 1 : 0;
      level = interval.level;
    }
    const double standard_error = std::sqrt(level * (1 - level) / runs);
    EXPECT_GE(level, 0.9);
    EXPECT_NEAR(static_cast<double>(covered) / runs, level, 4 * standard_error) << p;
  }
}

TEST(OrderIntervalDeathTest, RefusesAnUnsortedSample) {
  EXPECT_DEATH(static_cast<void>(order_interval(std::vector<double>{2, 1}, 0.5, 0.9)), "sorted");
}

/// P(B < rank) for B ~ binomial(n, p), added up term by term.
double binomial_below(std::size_t rank, std::size_t n, double p) {
  double term = std::pow(1 - p, static_cast<double>(n));
  double sum = 0;
  for (std::size_t k = 0; k < rank; ++k) {
    sum += term;
    term *= static_cast<double>(n - k) / static_cast<double>(k + 1) * p / (1 - p);
  }
  return sum;
}

RC_GTEST_PROP(OrderInterval, IsTheNarrowestWithHalfTheRiskOnEachSide, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 60);
  const double p = *rc::gen::inRange(1, 100) / 100.0;
  const double level = *rc::gen::elementOf(std::vector<double>{0.5, 0.9, 0.95, 0.99});
  std::vector<double> sorted(n);
  for (std::size_t i = 0; i < n; ++i) sorted[i] = static_cast<double>(i + 1);  // value = rank
  const auto interval = order_interval(sorted, p, level);
  const double risk = (1 - level) / 2;
  const double slack = 1e-9;
  const auto low = interval.low < 1 ? std::size_t{0} : static_cast<std::size_t>(interval.low);
  const auto high =
      interval.high > static_cast<double>(n) ? n + 1 : static_cast<std::size_t>(interval.high);
  RC_ASSERT(binomial_below(low, n, p) <= risk + slack);
  if (low < n) RC_ASSERT(binomial_below(low + 1, n, p) >= risk - slack);
  const double below_high = high > n ? 1 : binomial_below(high, n, p);
  RC_ASSERT(1 - below_high <= risk + slack);
  if (high > 1) RC_ASSERT(1 - binomial_below(high - 1, n, p) >= risk - slack);
  RC_ASSERT(std::abs(interval.level - (below_high - binomial_below(low, n, p))) <= slack);
}

}  // namespace
}  // namespace artel::stat
