#include "artel/dispatch/random.hpp"

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

TEST(Random, IsUniformAmongThoseWithRoom) {
  const LoadArray one_full = loads({0, 2, 1, 0, 1}, 2);
  std::map<std::optional<WorkerId>, int> count;
  for (std::uint64_t i = 0; i < 40'000; ++i) {
    ++count[choose(Random{}, one_full, Draw{.dice = i})];
  }
  EXPECT_EQ(count[WorkerId{1}], 0);
  for (const std::size_t i : {0U, 2U, 3U, 4U}) EXPECT_NEAR(count[worker(i)], 10'000, 350);
}

TEST(Random, IsUniformEvenIfNearlyAllAreFull) {
  std::vector<Load> all(100, Load{.queued = 1, .capacity = 1});
  for (const std::size_t i : {17U, 18U, 90U}) all[i].queued = 0;
  const LoadArray nearly_full(all);
  std::map<std::optional<WorkerId>, int> count;
  for (std::uint64_t i = 0; i < 30'000; ++i) {
    ++count[choose(Random{}, nearly_full, Draw{.dice = i})];
  }
  for (const std::size_t i : {17U, 18U, 90U}) EXPECT_NEAR(count[worker(i)], 10'000, 330);
}

TEST(Random, NobodyWhenAllAreFull) {
  EXPECT_FALSE(choose(Random{}, loads({1, 1}, 1), Draw{.dice = 5}));
  EXPECT_FALSE(choose(Random{}, loads({}), Draw{.dice = 5}));
}

}  // namespace
}  // namespace artel::dispatch
