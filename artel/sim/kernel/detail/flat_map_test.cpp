#include "artel/sim/kernel/detail/flat_map.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/random/stream.hpp"

namespace artel::sim::detail {
namespace {

/// Plays random insertions and removals of such keys against a std::map.
void play(const std::vector<std::uint64_t>& keys) {
  random::Stream dice(Seed{7}, "keys");
  FlatMap<std::uint64_t> map;
  std::map<std::uint64_t, std::uint64_t> model;
  for (std::uint64_t step = 0; step < 20'000; ++step) {
    const std::uint64_t key = keys[dice.below(keys.size())];
    switch (dice.below(3)) {
      case 0:
        EXPECT_EQ(map.insert(key, step).second, model.emplace(key, step).second);
        break;
      case 1:
        EXPECT_EQ(map.erase(key), model.erase(key) == 1);
        break;
      default:
        if (const std::uint64_t* value = map.find(key)) {
          map.erase(value);
          EXPECT_EQ(model.erase(key), 1U);
        }
    }
    ASSERT_EQ(map.size(), model.size());
    const auto known = model.find(key);
    const std::uint64_t* found = map.find(key);
    ASSERT_EQ(found != nullptr, known != model.end());
    if (found != nullptr) {
      EXPECT_EQ(*found, known->second);
    }
  }
  for (const auto& [key, value] : model) {
    const std::uint64_t* found = map.find(key);
    ASSERT_NE(found, nullptr) << key;
    EXPECT_EQ(*found, value);
  }
}

std::vector<std::uint64_t> keys_from(std::uint64_t first, std::uint64_t step) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < 300; ++i) keys.push_back(first + i * step);
  return keys;
}

TEST(FlatMap, HoldsKeysSideBySide) { play(keys_from(1, 1)); }
TEST(FlatMap, HoldsKeysFarApart) { play(keys_from(3, std::uint64_t{1} << 40U)); }
TEST(FlatMap, HoldsKeysWithEqualLowBits) { play(keys_from(4, 4)); }
TEST(FlatMap, HoldsTheLargestKeys) { play(keys_from(0 - std::uint64_t{300}, 1)); }

TEST(FlatMap, VisitsAll) {
  FlatMap<std::uint64_t> map;
  for (std::uint64_t key = 1; key <= 100; ++key) map.insert(key, key);
  std::uint64_t sum = 0;
  map.for_each([&](std::uint64_t, std::uint64_t value) { sum += value; });
  EXPECT_EQ(sum, 5050U);
}

}  // namespace
}  // namespace artel::sim::detail
