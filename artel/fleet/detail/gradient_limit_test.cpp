#include "artel/fleet/detail/gradient_limit.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "artel/core/instant.hpp"

namespace artel::fleet::detail {
namespace {

using namespace std::chrono_literals;

// Worked out by hand: limit + 0.2 (limit x gradient + 4 - limit).
TEST(GradientLimit, FollowsTheLastTaskBesideTheAverage) {
  GradientLimit limit({.min = 20, .max = 200});
  limit.left(Instant{}, 1s, 20);  // as on average: gradient 1
  EXPECT_DOUBLE_EQ(limit.limit(), 20.8);
  EXPECT_TRUE(limit.admits(19));
  EXPECT_FALSE(limit.admits(20));
  limit.left(Instant{}, 6s, 20);  // average 3.5 s: gradient 1.5 x 3.5 / 6
  EXPECT_DOUBLE_EQ(limit.limit(), 20.8 + 0.2 * (20.8 * 0.875 + 4 - 20.8));
  const double before = limit.limit();
  limit.left(Instant{}, 10s, 20);  // average 17 / 3 s: gradient 0.85
  EXPECT_DOUBLE_EQ(limit.limit(), before + 0.2 * (before * 0.85 + 4 - before));
}

TEST(GradientLimit, HearsOfWhatHasNoAnswerOnlyIfItTookLong) {
  GradientLimit limit({.min = 20, .max = 200});
  limit.left(Instant{}, 1s, 20);
  limit.unanswered(Instant{}, 1500ms, 20);
  EXPECT_DOUBLE_EQ(limit.limit(), 20.8);
  limit.unanswered(Instant{}, 6s, 20);  // as if it had been served then
  EXPECT_DOUBLE_EQ(limit.limit(), 20.8 + 0.2 * (20.8 * 0.875 + 4 - 20.8));
}

TEST(GradientLimit, ShrinksByAHalfAtMostAndStaysWithinItsBounds) {
  GradientLimit limit({.min = 10, .max = 40});
  for (int i = 0; i < 100; ++i) limit.left(Instant{}, 1s, 40);
  EXPECT_DOUBLE_EQ(limit.limit(), 40);
  limit.left(Instant{}, 1000s, 40);
  EXPECT_DOUBLE_EQ(limit.limit(), 40 + 0.2 * (20 + 4 - 40));
  GradientLimit low({.queue = 0, .min = 10, .max = 40});
  low.left(Instant{}, 1s, 10);
  low.left(Instant{}, 1000s, 10);
  EXPECT_DOUBLE_EQ(low.limit(), 10);
}

TEST(GradientLimit, DoesNotMoveWhileItLimitsNothing) {
  GradientLimit limit({.min = 20});
  limit.left(Instant{}, 1s, 9);
  EXPECT_DOUBLE_EQ(limit.limit(), 20);
  EXPECT_DOUBLE_EQ(limit.average(), 1);
}

TEST(GradientLimit, TheAverageIsPlainForTenTasksThenComesDownFasterAfterAnOverload) {
  GradientLimit limit({.window = 99, .min = 20});
  for (int i = 1; i <= 10; ++i) limit.left(Instant{}, std::chrono::seconds(100), 0);
  EXPECT_DOUBLE_EQ(limit.average(), 100);
  limit.left(Instant{}, 60s, 0);  // 2 / (99 + 1) of the way
  EXPECT_DOUBLE_EQ(limit.average(), 99.2);
  limit.left(Instant{}, 10s, 0);
  EXPECT_DOUBLE_EQ(limit.average(), (99.2 - 0.02 * 89.2) * 0.95);
}

}  // namespace
}  // namespace artel::fleet::detail
