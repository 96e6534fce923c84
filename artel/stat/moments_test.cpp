#include "artel/stat/moments.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace artel::stat {
namespace {

Moments moments_of(const std::vector<double>& values) {
  Moments moments;
  for (const double value : values) moments.add(value);
  return moments;
}

/// Numbers of any sign between 1e-3 and 1e6 in size.
rc::Gen<std::vector<double>> numbers() {
  return rc::gen::container<std::vector<double>>(
      rc::gen::map(rc::gen::inRange(-1'000'000'000, 1'000'000'001),
                   [](int thousandths) { return thousandths / 1000.0; }));
}

TEST(Moments, OfThreeNumbers) {
  const Moments moments = moments_of({1, 2, 6});
  EXPECT_EQ(moments.count(), 3U);
  EXPECT_EQ(moments.mean(), 3.0);
  EXPECT_EQ(moments.variance(), 7.0);
  EXPECT_EQ(moments.stddev(), std::sqrt(7.0));
  EXPECT_EQ(moments.min(), 1.0);
  EXPECT_EQ(moments.max(), 6.0);
}

TEST(Moments, OfNothingAreNotANumber) {
  const Moments none;
  EXPECT_EQ(none.count(), 0U);
  EXPECT_TRUE(std::isnan(none.mean()));
  EXPECT_TRUE(std::isnan(none.variance()));
  EXPECT_EQ(none.min(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(none.max(), -std::numeric_limits<double>::infinity());
}

TEST(Moments, OneNumberHasAMeanButNoVariance) {
  const Moments one = moments_of({4});
  EXPECT_EQ(one.mean(), 4.0);
  EXPECT_TRUE(std::isnan(one.variance()));
}

TEST(Moments, VarianceSurvivesALargeMean) {
  Moments moments;
  for (int i = 0; i < 1000; ++i) moments.add(1e12 + i % 2);
  EXPECT_NEAR(moments.variance(), 0.25 * 1000 / 999, 1e-6);
}

RC_GTEST_PROP(Moments, AgreeWithTwoPasses, ()) {
  const auto values = *rc::gen::suchThat(numbers(), [](const auto& v) { return v.size() > 1; });
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  double variance = 0;
  for (const double value : values) {
    variance += (value - mean) * (value - mean) / static_cast<double>(values.size() - 1);
  }
  const Moments moments = moments_of(values);
  RC_ASSERT(moments.count() == values.size());
  RC_ASSERT(std::abs(moments.mean() - mean) <= 1e-6);
  RC_ASSERT(std::abs(moments.variance() - variance) <= 1e-9 * variance + 1e-6);
  RC_ASSERT(moments.min() == *std::min_element(values.begin(), values.end()));
  RC_ASSERT(moments.max() == *std::max_element(values.begin(), values.end()));
}

RC_GTEST_PROP(Moments, MergingEqualsAddingAll, ()) {
  const auto first = *numbers();
  const auto second = *numbers();
  auto all = first;
  all.insert(all.end(), second.begin(), second.end());
  RC_PRE(all.size() > 1);
  Moments merged = moments_of(first);
  merged.merge(moments_of(second));
  const Moments expected = moments_of(all);
  RC_ASSERT(merged.count() == expected.count());
  RC_ASSERT(std::abs(merged.mean() - expected.mean()) <= 1e-6);
  RC_ASSERT(std::abs(merged.variance() - expected.variance()) <= 1e-9 * expected.variance() + 1e-6);
  RC_ASSERT(merged.min() == expected.min());
  RC_ASSERT(merged.max() == expected.max());
}

}  // namespace
}  // namespace artel::stat
