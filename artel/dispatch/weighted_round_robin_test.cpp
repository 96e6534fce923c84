#include "artel/dispatch/weighted_round_robin.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/unit/id.hpp"

namespace artel::dispatch {
namespace {

TEST(WeightedRoundRobin, EachGetsTurnsInProportionToItsWeight) {
  const LoadArray queues({{.weight = 1}, {.weight = 3}});
  std::map<std::optional<WorkerId>, int> count;
  for (std::uint64_t ticket = 0; ticket < 400; ++ticket) {
    ++count[choose(WeightedRoundRobin{}, queues, Draw{.ticket = ticket})];
  }
  EXPECT_EQ(count[WorkerId{0}], 100);
  EXPECT_EQ(count[WorkerId{1}], 300);
}

TEST(WeightedRoundRobin, PublishedRotaGivesTheSameTurns) {
  const LoadArray queues({{.weight = 1}, {.weight = 2.5F}, {.capacity = 0}});
  const Rota rota = rota_of(queues);
  for (std::uint64_t ticket = 0; ticket < 20; ++ticket) {
    EXPECT_EQ(choose(WeightedRoundRobin{}, queues, Draw{.ticket = ticket, .rota = &rota}),
              choose(WeightedRoundRobin{}, queues, Draw{.ticket = ticket}));
  }
}

TEST(WeightedRoundRobin, TurnOfAFullWorkerGoesToTheNext) {
  const LoadArray queues({{.queued = 2, .capacity = 2}, {}, {.weight = 0.1F}});
  EXPECT_EQ(choose(WeightedRoundRobin{}, queues, Draw{.ticket = 0}), WorkerId{1});
  EXPECT_FALSE(choose(WeightedRoundRobin{}, loads({1, 1}, 1), Draw{}));
}

TEST(WeightedRoundRobin, RotaForMoreWorkersThanThereAreDoesNoHarm) {
  const Rota rota(std::array{0.0, 0.0, 0.0, 1.0});
  EXPECT_EQ(choose(WeightedRoundRobin{}, loads({1, 0}, 1), Draw{.rota = &rota}), WorkerId{1});
}

}  // namespace
}  // namespace artel::dispatch
