#include "artel/dispatch/jbt.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

std::map<std::optional<WorkerId>, int> decisions(const LoadArray& workers, std::uint32_t threshold,
                                                 std::uint64_t of) {
  std::map<std::optional<WorkerId>, int> count;
  for (std::uint64_t dice = 0; dice < of; ++dice) {
    ++count[choose(Jbt{.threshold = threshold}, workers, Draw{.dice = dice})];
  }
  return count;
}

TEST(Jbt, TakesAnyWorkerBelowTheThreshold) {
  auto count = decisions(loads({3, 0, 2, 1, 5}), 3, 30'000);
  for (const std::size_t i : {1U, 2U, 3U}) EXPECT_NEAR(count[worker(i)], 10'000, 350);
}

TEST(Jbt, FindsTheFewThatAreBelow) {
  std::vector<Load> many(100, Load{.queued = 9});
  for (const std::size_t i : {17U, 18U, 90U}) many[i].queued = 1;
  auto count = decisions(LoadArray(many), 2, 30'000);
  for (const std::size_t i : {17U, 18U, 90U}) EXPECT_NEAR(count[worker(i)], 10'000, 350);
}

TEST(Jbt, WhenNobodyIsBelowAnyoneWithRoom) {
  auto count = decisions(loads({4, 9, 5, 7}, 9), 4, 30'000);
  EXPECT_EQ(count[WorkerId{1}], 0);
  for (const std::size_t i : {0U, 2U, 3U}) EXPECT_NEAR(count[worker(i)], 10'000, 350);
}

TEST(Jbt, AFullWorkerIsPassedOverThoughItIsBelow) {
  EXPECT_EQ(decisions(loads({2, 1, 2}, 2), 3, 1000)[WorkerId{1}], 1000);
  EXPECT_FALSE(choose(Jbt{}, loads({1, 1}, 1), Draw{.dice = 5}));
  EXPECT_FALSE(choose(Jbt{}, loads({}), Draw{.dice = 5}));
}

TEST(Jbt, ThresholdOneDecidesAsJiq) {
  for (std::uint64_t dice = 0; dice < 1000; ++dice) {
    for (const LoadArray& workers : {loads({1, 0, 3, 0, 2}), loads({1, 2, 1}, 2)}) {
      const Draw draw{.dice = dice};
      EXPECT_EQ(choose(Jbt{.threshold = 1}, workers, draw), choose(Jiq{}, workers, draw));
    }
  }
}

TEST(Jbt, WithoutAThresholdItDecidesAsRandom) {
  for (std::uint64_t dice = 0; dice < 1000; ++dice) {
    const LoadArray workers = loads({1, 0, 3, 700, 2});
    const Draw draw{.dice = dice};
    EXPECT_EQ(choose(Jbt{.threshold = kUnbounded}, workers, draw), choose(Random{}, workers, draw));
  }
}

}  // namespace
}  // namespace artel::dispatch
