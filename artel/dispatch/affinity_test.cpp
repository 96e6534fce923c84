#include "artel/dispatch/affinity.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

std::optional<WorkerId> decision(double beta, const LoadArray& workers,
                                 const std::vector<float>& matched, std::uint64_t dice = 7) {
  return choose(Affinity{.beta = beta}, workers, Draw{.dice = dice, .matched = matched});
}

// Tasks 4, 1, 1, 2: the average and one are 3, so that worker 0 is 1 more loaded than worker 1.
TEST(Affinity, WeighsThePrefixAgainstTheRelativeLoad) {
  const auto workers = loads({4, 1, 1, 2});
  const std::vector<float> matched{0.75F, 0, 0.125F, 0.25F};
  EXPECT_EQ(decision(0.6, workers, matched), WorkerId{0});
  EXPECT_EQ(decision(0.65, workers, matched), WorkerId{2});
  EXPECT_EQ(decision(0.2, workers, {0, 0, 0.125F, 0.25F}), WorkerId{3});
  EXPECT_EQ(decision(0.4, workers, {0, 0, 0.125F, 0.25F}), WorkerId{2});
}

TEST(Affinity, WithBetaZeroTheCacheDecidesAndTheLoadBetweenEquals) {
  EXPECT_EQ(decision(0, loads({900, 0, 3}), {0.5F, 0.4F, 0.25F}), WorkerId{0});
  EXPECT_EQ(decision(0, loads({9, 0, 3}), {0.5F, 0.25F, 0.5F}), WorkerId{2});
}

TEST(Affinity, WhereNobodyHoldsAnythingItJoinsTheShortestQueue) {
  const auto workers = loads({3, 1, 2, 1, 1});
  for (std::uint64_t dice = 0; dice < 1000; ++dice) {
    const auto shortest = choose(Jsq{.d = Jsq::kAll}, workers, Draw{.dice = dice});
    for (const double beta : {0.0, 1.0, 1e9}) {
      EXPECT_EQ(decision(beta, workers, {}, dice), shortest);
      EXPECT_EQ(decision(beta, workers, {0.5F, 0.5F, 0.5F, 0.5F, 0.5F}, dice), shortest);
    }
    EXPECT_EQ(decision(1e9, workers, {1, 0, 1, 0, 0}, dice), shortest);
  }
}

TEST(Affinity, WhoIsFullOrGoneIsPassedOverAndDoesNotCount) {
  EXPECT_EQ(decision(0, loads({2, 1, 1}, 2), {1, 0, 0.5F}), WorkerId{2});
  EXPECT_FALSE(decision(1, loads({2, 2}, 2), {1, 1}));
  EXPECT_FALSE(decision(1, loads({}), {}));
  // With the one that is gone the average would be 25, and half a prefix worth the longer queue.
  LoadArray workers = loads({100, 0, 2, 0});
  workers.set(WorkerId{0}, Load{.queued = 100, .capacity = 0});
  EXPECT_NE(decision(1, workers, {1, 0, 0.5F, 0}), WorkerId{2});
}

TEST(Affinity, WhoIsNotSpokenOfHoldsNothing) {
  EXPECT_EQ(decision(0, loads({5, 5, 0}), {0.0F, 0.5F}), WorkerId{1});
}

TEST(Affinity, EqualsAreEquallyLikely) {
  std::map<std::optional<WorkerId>, int> count;
  for (std::uint64_t dice = 0; dice < 30'000; ++dice)
    ++count[decision(1, loads({1, 1, 1, 0}), {0.9F, 0.9F, 0.9F, 0}, dice)];
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_NEAR(count[WorkerId{i}], 10'000, 350);
}

}  // namespace
}  // namespace artel::dispatch
