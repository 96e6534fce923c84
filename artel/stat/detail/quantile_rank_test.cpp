#include "artel/stat/detail/quantile_rank.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>

namespace artel::stat::detail {
namespace {

TEST(QuantileRank, MedianOfAnEvenCountIsTheLowerMiddle) { EXPECT_EQ(quantile_rank(0.5, 10), 5U); }

TEST(QuantileRank, EndsAreTheFirstAndTheLast) {
  EXPECT_EQ(quantile_rank(0, 10), 1U);
  EXPECT_EQ(quantile_rank(1, 10), 10U);
}

TEST(QuantileRankDeathTest, RefusesNothing) {
  EXPECT_DEATH(static_cast<void>(quantile_rank(0.5, 0)), "nothing");
}

RC_GTEST_PROP(QuantileRank, IsTheSmallestThatCoversTheShare, ()) {
  const auto count = *rc::gen::inRange<std::uint64_t>(1, 1 << 20);
  const double p = *rc::gen::inRange(0, 1025) / 1024.0;  // p · count is exact
  const auto rank = quantile_rank(p, count);
  const double share = p * static_cast<double>(count);
  RC_ASSERT(static_cast<double>(rank) >= share);
  if (rank > 1) RC_ASSERT(static_cast<double>(rank - 1) < share);
}

}  // namespace
}  // namespace artel::stat::detail
