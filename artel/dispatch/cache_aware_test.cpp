#include "artel/dispatch/cache_aware.hpp"

#include <gtest/gtest.h>

#include <cstdint>
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

constexpr CacheAware kSwitch{.cache_threshold = 0.5, .balance_abs = 4, .balance_rel = 2};

std::optional<WorkerId> decision(const LoadArray& workers, const std::vector<float>& matched,
                                 const CacheAware& policy = kSwitch) {
  return choose(policy, workers, Draw{.dice = 7, .matched = matched});
}

TEST(CacheAware, TakesWhoHoldsMostAsLongAsLoadsAreAlike) {
  EXPECT_EQ(decision(loads({6, 2, 3}), {0.75F, 0.625F, 0}), WorkerId{0});
  EXPECT_EQ(decision(loads({6, 2, 3}), {0.75F, 0.75F, 0.75F}), WorkerId{1});
}

TEST(CacheAware, BothThresholdsAreToBePassedForABalance) {
  const std::vector<float> matched{1, 0, 0};
  EXPECT_EQ(decision(loads({6, 2, 2}), matched), WorkerId{0});   // 4 more are not more than 4
  EXPECT_EQ(decision(loads({7, 2, 3}), matched), WorkerId{1});   // 5, and 3.5 times as many
  EXPECT_EQ(decision(loads({16, 8, 9}), matched), WorkerId{0});  // twice as many are not more
  EXPECT_EQ(decision(loads({17, 8, 9}), matched), WorkerId{1});
  EXPECT_EQ(decision(loads({2, 7, 3}), matched), WorkerId{0});
}

TEST(CacheAware, TooSmallAShareIsNotSoughtOut) {
  EXPECT_EQ(decision(loads({3, 2, 1}), {0.5F, 0.25F, 0}), WorkerId{2});
  EXPECT_EQ(decision(loads({3, 2, 1}), {0.5F, 0.25F, 0}, {.cache_threshold = 0}), WorkerId{0});
  EXPECT_EQ(decision(loads({3, 2, 1}), {}, {.cache_threshold = 0}), WorkerId{2});
}

TEST(CacheAware, WithoutCachesItJoinsTheShortestQueue) {
  const auto workers = loads({3, 1, 2, 1, 1});
  for (std::uint64_t dice = 0; dice < 1000; ++dice) {
    const Draw draw{.dice = dice};
    EXPECT_EQ(choose(kSwitch, workers, draw), choose(Jsq{.d = Jsq::kAll}, workers, draw));
  }
}

TEST(CacheAware, WhoIsFullOrGoneIsPassedOver) {
  EXPECT_EQ(decision(loads({2, 1, 1}, 2), {1, 0, 0.75F}), WorkerId{2});
  EXPECT_FALSE(decision(loads({2, 2}, 2), {1, 1}));
  EXPECT_FALSE(decision(loads({}), {}));
  LoadArray workers = loads({100, 1, 2});
  workers.set(WorkerId{0}, Load{.queued = 100, .capacity = 0});
  EXPECT_EQ(decision(workers, {1, 0, 1}), WorkerId{2});
}

}  // namespace
}  // namespace artel::dispatch
