#include "artel/dispatch/round_robin.hpp"

#include <gtest/gtest.h>

#include "artel/core/id.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

TEST(RoundRobin, GoesByTheTicket) {
  const LoadArray queues = loads({5, 0, 2});
  EXPECT_EQ(choose(RoundRobin{}, queues, Draw{.turn = 0}), WorkerId{0});
  EXPECT_EQ(choose(RoundRobin{}, queues, Draw{.turn = 5}), WorkerId{2});
}

TEST(RoundRobin, TurnOfAFullWorkerGoesToTheNext) {
  const LoadArray queues = loads({1, 2, 2}, 2);
  EXPECT_EQ(choose(RoundRobin{}, queues, Draw{.turn = 1}), WorkerId{0});
  EXPECT_FALSE(choose(RoundRobin{}, loads({2, 2}, 2), Draw{.turn = 1}));
}

TEST(RoundRobin, WhoHasLeftHasNoTurn) {
  const LoadArray queues({{}, {.capacity = 0}, {}});
  EXPECT_EQ(choose(RoundRobin{}, queues, Draw{.turn = 0}), WorkerId{0});
  EXPECT_EQ(choose(RoundRobin{}, queues, Draw{.turn = 1}), WorkerId{2});
  EXPECT_EQ(choose(RoundRobin{}, queues, Draw{.turn = 2}), WorkerId{0});
}

}  // namespace
}  // namespace artel::dispatch
