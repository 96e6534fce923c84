#include "artel/dispatch/weighted_round_robin.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

TEST(WeightedRoundRobin, EachGetsTurnsInProportionToItsWeight) {
  const LoadArray queues({{.weight = 1}, {.weight = 3}});
  std::map<std::optional<WorkerId>, int> count;
  for (std::uint64_t turn = 0; turn < 400; ++turn) {
    ++count[choose(WeightedRoundRobin{}, queues, Draw{.turn = turn})];
  }
  EXPECT_EQ(count[WorkerId{0}], 100);
  EXPECT_EQ(count[WorkerId{1}], 300);
}

TEST(WeightedRoundRobin, PublishedCycleGivesTheSameTurns) {
  const LoadArray queues({{.weight = 1}, {.weight = 2.5F}, {.capacity = 0}});
  const WeightedCycle cycle = weighted_cycle_of(queues);
  for (std::uint64_t turn = 0; turn < 20; ++turn) {
    EXPECT_EQ(choose(WeightedRoundRobin{}, queues, Draw{.turn = turn, .cycle = &cycle}),
              choose(WeightedRoundRobin{}, queues, Draw{.turn = turn}));
  }
}

TEST(WeightedRoundRobin, TurnOfAFullWorkerGoesToTheNext) {
  const LoadArray queues({{.queued = 2, .capacity = 2}, {}, {.weight = 0.1F}});
  EXPECT_EQ(choose(WeightedRoundRobin{}, queues, Draw{.turn = 0}), WorkerId{1});
  EXPECT_FALSE(choose(WeightedRoundRobin{}, loads({1, 1}, 1), Draw{}));
}

TEST(WeightedRoundRobin, CycleForMoreWorkersThanThereAreDoesNoHarm) {
  const WeightedCycle cycle(std::array{0.0, 0.0, 0.0, 1.0});
  EXPECT_EQ(choose(WeightedRoundRobin{}, loads({1, 0}, 1), Draw{.cycle = &cycle}), WorkerId{1});
}

}  // namespace
}  // namespace artel::dispatch
