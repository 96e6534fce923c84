#include "artel/dispatch/weighted_cycle.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "artel/core/id.hpp"

namespace artel::dispatch {
namespace {

std::vector<std::size_t> turns(const std::vector<double>& weights) {
  std::vector<std::size_t> ids;
  const WeightedCycle cycle(weights);
  for (const WorkerId id : cycle.turns()) ids.push_back(index(id));
  return ids;
}

TEST(WeightedCycle, EqualWeightsAreRoundRobin) {
  EXPECT_EQ(turns({1, 1, 1}), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(turns({0.1, 0.1}), (std::vector<std::size_t>{0, 1}));
}

TEST(WeightedCycle, SmallRatiosAreExactAndInterleaved) {
  EXPECT_EQ(turns({3, 1}), (std::vector<std::size_t>{0, 0, 1, 0}));
  EXPECT_EQ(turns({2, 1, 1}), (std::vector<std::size_t>{0, 1, 2, 0}));
  EXPECT_EQ(turns({1.5, 1}), (std::vector<std::size_t>{0, 1, 0, 1, 0}));
}

TEST(WeightedCycle, WeightZeroHasNoTurn) {
  EXPECT_EQ(turns({0, 2, 0}), (std::vector<std::size_t>{1}));
  EXPECT_FALSE(WeightedCycle(std::vector<double>{0, 0}).turn(3));
  EXPECT_FALSE(WeightedCycle().turn(3));
}

TEST(WeightedCycle, EvenTinyWeightsGetATurn) {
  const auto all = turns({1, 1e-9});
  EXPECT_LE(all.size(), WeightedCycle::kTurns + 1);
  EXPECT_EQ(std::count(all.begin(), all.end(), 1U), 1);
}

RC_GTEST_PROP(WeightedCycle, CountsFollowTheWeightsAtEveryMoment, ()) {
  auto weights = *rc::gen::nonEmpty(rc::gen::container<std::vector<double>>(
      rc::gen::map(rc::gen::inRange(1, 400), [](int w) { return w * 0.01; })));
  weights.resize(std::min<std::size_t>(weights.size(), 12));
  double total = 0;
  for (const double weight : weights) total += weight;
  const WeightedCycle cycle(weights);
  std::vector<double> count(weights.size());
  double taken = 0;
  for (const WorkerId turn : cycle.turns()) {
    ++count[index(turn)];
    ++taken;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double due = taken * weights[i] / total;
      // One turn early or late, and the rounding of the shares over the cycle.
      RC_ASSERT(std::abs(count[i] - due) <= 2.0);
    }
  }
}

}  // namespace
}  // namespace artel::dispatch
