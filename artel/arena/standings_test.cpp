#include "artel/arena/standings.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace artel::arena {
namespace {

TEST(Standings, ALowerCostRanksFirst) {
  const auto all = standings({{{4, 4, 4}, {2, 2, 2}}, {{3, 3, 3}, {3, 3, 3}}});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].policy, 1U);
  EXPECT_EQ(all[0].rank, 1U);
  EXPECT_EQ(all[0].score.center, 1);
  EXPECT_EQ(all[0].best_in, 2U);
  EXPECT_EQ(all[1].rank, 2U);
  EXPECT_EQ(all[1].rank_low, 2U);
  EXPECT_EQ(all[1].score.center, 0.75);
  EXPECT_EQ(all[1].worst, 0U);
  EXPECT_EQ(all[1].best_in, 1U);
  EXPECT_EQ(all[1].outcomes[0].regret.center, 1);
  EXPECT_EQ(all[1].outcomes[0].score, 0.5);
  EXPECT_EQ(all[1].outcomes[1].regret.center, 0);
}

TEST(Standings, EqualPoliciesTie) {
  const auto all = standings({{{1, 5, 2}, {1, 5, 2}}});
  for (const auto& one : all) {
    EXPECT_EQ(one.rank, 1U);
    EXPECT_EQ(one.rank_low, 1U);
    EXPECT_EQ(one.rank_high, 2U);
    EXPECT_EQ(one.outcomes[0].regret.center, 0);
    EXPECT_EQ(one.outcomes[0].regret.half_width, 0);
  }
}

TEST(Standings, PairsTellApartWhatScattersTogether) {
  const auto all = standings({{{1.1, 5.5, 9.9}, {1, 5, 9}}});
  EXPECT_EQ(all[0].policy, 1U);
  EXPECT_GT(all[0].outcomes[0].cost.half_width, 5);
  EXPECT_EQ(all[0].rank_high, 1U);
  EXPECT_EQ(all[1].rank_low, 2U);
  EXPECT_NEAR(all[1].outcomes[0].regret.center, 0.1, 1e-12);
  EXPECT_LT(all[1].outcomes[0].regret.half_width, 1e-9);
}

TEST(Standings, NoiseLeavesTheRankOpen) {
  const auto all = standings({{{1, 3, 2}, {2, 1, 3.1}}});
  EXPECT_EQ(all[0].policy, 0U);
  EXPECT_EQ(all[0].rank_high, 2U);
  EXPECT_EQ(all[1].rank, 2U);
  EXPECT_EQ(all[1].rank_low, 1U);
}

TEST(Standings, TheMorePairsTheMoreItTakesToBeSureOfARank) {
  const std::vector<double> best = {1, 1, 1};
  // Behind by 0.5: ± 0.42 at 99%, 0.59 at 99.5%
  const std::vector<double> scattered = {1.71, 2, 2.29};
  EXPECT_EQ(standings({{best, scattered}})[1].rank_low, 2U);
  EXPECT_EQ(standings({{best, scattered, {9, 9, 9}}})[1].rank_low, 1U);
}

TEST(Standings, OneReplicationKnowsNoInterval) {
  const auto all = standings({{{1}, {2}}});
  EXPECT_TRUE(std::isinf(all[1].score.half_width));
  EXPECT_EQ(all[1].rank, 2U);
  EXPECT_EQ(all[1].rank_low, 1U);
}

TEST(Standings, WhoCannotRunScoresNothingThere) {
  const auto all = standings({{{}, {2, 2}}, {{1, 1}, {4, 4}}});
  EXPECT_EQ(all[0].policy, 1U);  // (1 + 0.25) / 2
  EXPECT_EQ(all[0].score.center, 0.625);
  EXPECT_EQ(all[1].score.center, 0.5);
  EXPECT_FALSE(all[1].outcomes[0].ran);
  EXPECT_EQ(all[1].worst, 1U);
  EXPECT_EQ(all[1].best_in, 1U);
}

TEST(Standings, CostsOfNothingAndWithoutEnd) {
  const auto all = standings({{{0, 0}, {0, 0}, {1, 0}, {INFINITY, 3}}});
  EXPECT_EQ(all[0].score.center, 1);
  EXPECT_EQ(all[1].score.center, 1);
  for (const auto loser : {std::size_t{2}, std::size_t{3}}) {
    EXPECT_EQ(all[loser].score.center, 0);
    EXPECT_TRUE(std::isinf(all[loser].outcomes[0].regret.center));
  }
  const auto hopeless = standings({{{INFINITY, 1}, {INFINITY, 2}}});
  EXPECT_EQ(hopeless[0].score.center, 1);
  EXPECT_EQ(hopeless[1].outcomes[0].regret.center, 0);
}

}  // namespace
}  // namespace artel::arena
