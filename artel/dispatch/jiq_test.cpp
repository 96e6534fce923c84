#include "artel/dispatch/jiq.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

TEST(Jiq, TakesAnIdleWorkerAtRandom) {
  std::map<std::optional<WorkerId>, int> count;
  for (std::uint64_t dice = 0; dice < 20'000; ++dice) {
    ++count[choose(Jiq{}, loads({1, 0, 1, 0}), Draw{.dice = dice})];
  }
  EXPECT_EQ(count[WorkerId{0}] + count[WorkerId{2}], 0);
  EXPECT_NEAR(count[WorkerId{1}], 10'000, 300);
}

TEST(Jiq, WithoutIdleWorkersAnyoneWithRoom) {
  std::map<std::optional<WorkerId>, int> count;
  for (std::uint64_t dice = 0; dice < 20'000; ++dice) {
    ++count[choose(Jiq{}, loads({1, 2, 1}, 2), Draw{.dice = dice})];
  }
  EXPECT_EQ(count[WorkerId{1}], 0);
  EXPECT_NEAR(count[WorkerId{0}], 10'000, 300);
  EXPECT_FALSE(choose(Jiq{}, loads({2, 2}, 2), Draw{}));
}

}  // namespace
}  // namespace artel::dispatch
