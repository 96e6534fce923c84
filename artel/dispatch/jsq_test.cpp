#include "artel/dispatch/jsq.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/unit/id.hpp"

namespace artel::dispatch {
namespace {

TEST(Jsq, OfAllWorkersTakesTheLeastBusy) {
  for (std::uint64_t dice = 0; dice < 50; ++dice) {
    EXPECT_EQ(choose(Jsq{.d = 3}, loads({3, 1, 2}), Draw{.dice = dice}), WorkerId{1});
    EXPECT_EQ(choose(Jsq{.d = Jsq::kAll}, loads({3, 1, 2}), Draw{.dice = dice}), WorkerId{1});
  }
}

TEST(Jsq, OfTwoTheMostBusyNeverWins) {
  std::array<int, 3> count{};
  for (std::uint64_t dice = 0; dice < 30'000; ++dice) {
    ++count[index(*choose(Jsq{.d = 2}, loads({9, 1, 5}), Draw{.dice = dice}))];
  }
  EXPECT_EQ(count[0], 0);              // there is always somebody better among two
  EXPECT_NEAR(count[1], 20'000, 330);  // wins the two pairs it is in
  EXPECT_NEAR(count[2], 10'000, 330);
}

TEST(Jsq, AmongEqualsEveryWorkerIsEquallyLikely) {
  for (const std::uint32_t d : {1U, 2U, 5U, Jsq::kAll}) {
    std::array<int, 6> count{};
    for (std::uint64_t dice = 0; dice < 60'000; ++dice) {
      ++count[index(*choose(Jsq{.d = d}, loads({1, 1, 1, 1, 1, 1}), Draw{.dice = dice}))];
    }
    for (const int each : count) EXPECT_NEAR(each, 10'000, 400);
  }
}

TEST(Jsq, WhenAllItLooksAtAreFullAnyoneWithRoomServes) {
  for (std::uint64_t dice = 0; dice < 100; ++dice) {
    EXPECT_EQ(choose(Jsq{.d = 2}, loads({2, 2, 2, 2, 1, 2}, 2), Draw{.dice = dice}), WorkerId{4});
  }
  EXPECT_FALSE(choose(Jsq{}, loads({2, 2}, 2), Draw{}));
  EXPECT_FALSE(choose(Jsq{}, loads({}), Draw{}));
}

TEST(Jsq, BusynessDecides) {
  const LoadArray queues({{.queued = 4, .weight = 8}, {.queued = 1, .weight = 1}});
  EXPECT_EQ(choose(Jsq{2, Measure::weighted}, queues, Draw{}), WorkerId{0});
}

}  // namespace
}  // namespace artel::dispatch
