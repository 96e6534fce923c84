#include "artel/fleet/detail/aimd_limit.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "artel/core/instant.hpp"

namespace artel::fleet::detail {
namespace {

using namespace std::chrono_literals;

TEST(AimdLimit, GrowsByOneForAsManyAnswersAndShrinksOncePerTarget) {
  AimdLimit limit({.target = 1s, .decrease = 0.5, .min = 2, .max = 5});
  EXPECT_TRUE(limit.admits(1));
  EXPECT_FALSE(limit.admits(2));
  limit.left(Instant{}, 1s, 2);
  EXPECT_DOUBLE_EQ(limit.limit(), 2.5);
  for (int i = 0; i < 20; ++i) limit.left(Instant{}, 1s, 5);
  EXPECT_DOUBLE_EQ(limit.limit(), 5);
  limit.left(Instant{3s}, 1001ms, 5);
  EXPECT_DOUBLE_EQ(limit.limit(), 2.5);
  limit.left(Instant{3900ms}, 2s, 5);
  EXPECT_DOUBLE_EQ(limit.limit(), 2.5);
  limit.left(Instant{4s}, 2s, 5);
  EXPECT_DOUBLE_EQ(limit.limit(), 2);
}

TEST(AimdLimit, DoesNotGrowWhileItLimitsNothing) {
  AimdLimit limit({.target = 1s, .min = 10});
  limit.left(Instant{}, 1s, 4);
  EXPECT_DOUBLE_EQ(limit.limit(), 10);
}

TEST(AimdLimit, HearsOfWhatHasNoAnswerOnlyIfItIsLate) {
  AimdLimit limit({.target = 1s, .decrease = 0.5, .min = 2});
  limit.left(Instant{}, 1s, 2);
  limit.unanswered(Instant{}, 100ms, 2);
  EXPECT_DOUBLE_EQ(limit.limit(), 2.5);
  limit.unanswered(Instant{}, 1001ms, 2);
  EXPECT_DOUBLE_EQ(limit.limit(), 2);
}

}  // namespace
}  // namespace artel::fleet::detail
