#include "artel/dispatch/jiq.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/unit/id.hpp"

namespace artel::dispatch {
namespace {

TEST(Jiq, TakesAnIdleWorkerAtRandom) {
  std::array<int, 4> count{};
  for (std::uint64_t dice = 0; dice < 20'000; ++dice) {
    ++count[index(*choose(Jiq{}, loads({1, 0, 1, 0}), Draw{.dice = dice}))];
  }
  EXPECT_EQ(count[0] + count[2], 0);
  EXPECT_NEAR(count[1], 10'000, 300);
}

TEST(Jiq, WithoutIdleWorkersAnyoneWithRoom) {
  std::array<int, 3> count{};
  for (std::uint64_t dice = 0; dice < 20'000; ++dice) {
    ++count[index(*choose(Jiq{}, loads({1, 2, 1}, 2), Draw{.dice = dice}))];
  }
  EXPECT_EQ(count[1], 0);
  EXPECT_NEAR(count[0], 10'000, 300);
  EXPECT_FALSE(choose(Jiq{}, loads({2, 2}, 2), Draw{}));
}

}  // namespace
}  // namespace artel::dispatch
