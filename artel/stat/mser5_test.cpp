#include "artel/stat/mser5.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include "artel/stat/detail/batch_means.hpp"

namespace artel::stat {
namespace {

/// What MSER minimises, by definition.
double mser(std::span<const double> rest) {
  const auto count = static_cast<double>(rest.size());
  double mean = 0;
  for (const double value : rest) mean += value / count;
  double squares = 0;
  for (const double value : rest) squares += (value - mean) * (value - mean);
  return squares / (count * count);
}

std::vector<double> noise(std::size_t count, std::mt19937_64::result_type seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values(count);
  for (double& value : values) value = static_cast<double>(random() >> 11U) * 0x1p-53;
  return values;
}

TEST(Mser5, DropsTheWholeTransientAndLittleMore) {
  auto values = noise(2000, 1);
  for (std::size_t i = 0; i < 200; ++i) values[i] += 5 * (1 - static_cast<double>(i) / 200);
  EXPECT_GE(mser5(values), 170U);  // below that the transient is larger than the noise
  EXPECT_LE(mser5(values), 300U);
}

TEST(Mser5, KeepsNearlyAllOfASteadySeries) {
  int kept = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) kept += mser5(noise(2000, seed)) <= 200 ? 1 : 0;
  EXPECT_GE(kept, 16);
}

TEST(Mser5, KeepsAllOfAConstantSeries) { EXPECT_EQ(mser5(std::vector<double>(100, 0.1)), 0U); }

TEST(Mser5, NeedsTwoBatches) {
  EXPECT_EQ(mser5({}), 0U);
  EXPECT_EQ(mser5(std::vector<double>{9, 9, 9, 9, 9, 0, 0, 0, 0}), 0U);
  EXPECT_EQ(mser5(std::vector<double>{9, 9, 9, 9, 9, 0, 0, 0, 0, 0}), 5U);
}

TEST(Mser5, NeverDropsMoreThanHalfOfAnUnsettledRun) {
  std::vector<double> rising(1000);
  for (std::size_t i = 0; i < rising.size(); ++i) rising[i] = static_cast<double>(i);
  EXPECT_EQ(mser5(rising), 500U);
}

RC_GTEST_PROP(Mser5, IsTheBestCutInTheFirstHalf, ()) {
  const auto values = *rc::gen::container<std::vector<double>>(
      rc::gen::map(rc::gen::inRange(0, 1000), [](int value) { return value / 8.0; }));
  const auto batches = detail::batch_means(values, 5);
  const std::size_t drop = mser5(values);
  RC_ASSERT(drop % 5 == 0U);
  RC_ASSERT(drop <= values.size() / 2);
  RC_PRE(!batches.empty());
  const auto error_after = [&](std::size_t cut) { return mser(std::span(batches).subspan(cut)); };
  const double best = error_after(drop / 5);
  for (std::size_t cut = 0; cut <= batches.size() / 2; ++cut) {
    RC_ASSERT(best <= error_after(cut) * (1 + 1e-9) + 1e-9);
  }
}

}  // namespace
}  // namespace artel::stat
