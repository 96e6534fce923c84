#include "artel/dispatch/jsq.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

TEST(Jsq, OfAllWorkersTakesTheLeastBusy) {
  for (std::uint64_t dice = 0; dice < 50; ++dice) {
    EXPECT_EQ(choose(Jsq{.d = 3}, loads({3, 1, 2}), Draw{.dice = dice}), WorkerId{1});
    EXPECT_EQ(choose(Jsq{.d = Jsq::kAll}, loads({3, 1, 2}), Draw{.dice = dice}), WorkerId{1});
  }
}

TEST(Jsq, DrawsIndependently) {
  std::map<std::optional<WorkerId>, int> count;
  for (std::uint64_t dice = 0; dice < 30'000; ++dice) {
    ++count[choose(Jsq{.d = 2}, loads({9, 1, 5}), Draw{.dice = dice})];
  }
  EXPECT_NEAR(count[WorkerId{0}], 3'333, 230);   // 1 of 9 pairs: itself twice
  EXPECT_NEAR(count[WorkerId{1}], 16'667, 350);  // 5 of 9: every pair it is in
  EXPECT_NEAR(count[WorkerId{2}], 10'000, 330);  // 3 of 9
}

TEST(Jsq, AmongEqualsEveryWorkerIsEquallyLikely) {
  for (const std::uint32_t d : {1U, 2U, 5U, Jsq::kAll}) {
    std::map<std::optional<WorkerId>, int> count;
    for (std::uint64_t dice = 0; dice < 60'000; ++dice) {
      ++count[choose(Jsq{.d = d}, loads({1, 1, 1, 1, 1, 1}), Draw{.dice = dice})];
    }
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(count[worker(i)], 10'000, 400);
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
