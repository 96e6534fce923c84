#include "artel/dispatch/least_loaded.hpp"

#include <gtest/gtest.h>

#include "artel/core/id.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

TEST(LeastLoaded, TakesTheShortestQueue) {
  EXPECT_EQ(choose(LeastLoaded{}, loads({3, 1, 2}), Draw{}), WorkerId{1});
}

TEST(LeastLoaded, TieGoesToLowestId) {
  EXPECT_EQ(choose(LeastLoaded{}, loads({2, 1, 1}), Draw{}), WorkerId{1});
}

TEST(LeastLoaded, PassesOverTheFull) {
  EXPECT_EQ(choose(LeastLoaded{}, LoadArray({{.queued = 1, .capacity = 1}, {.queued = 9}}), Draw{}),
            WorkerId{1});
  EXPECT_FALSE(choose(LeastLoaded{}, loads({2, 2}, 2), Draw{}));
}

TEST(LeastLoaded, BusynessDecides) {
  const LoadArray queues({{.queued = 3, .capacity = 10, .weight = 4},
                          {.queued = 1, .capacity = 2, .weight = 1},
                          {.queued = 2, .capacity = 20, .weight = 2}});
  EXPECT_EQ(choose(LeastLoaded{}, queues, Draw{}), WorkerId{1});
  EXPECT_EQ(choose(LeastLoaded{Measure::occupancy}, queues, Draw{}), WorkerId{2});
  EXPECT_EQ(choose(LeastLoaded{Measure::weighted}, queues, Draw{}), WorkerId{0});
  const Busyness most([](const Load& load) { return -1.0 * load.queued; });
  EXPECT_EQ(choose(LeastLoaded{most}, queues, Draw{}), WorkerId{0});
}

}  // namespace
}  // namespace artel::dispatch
