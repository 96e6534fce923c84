#include "artel/dispatch/prefix_cache.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>  // IWYU pragma: keep

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace artel::dispatch {
namespace {

using Keys = std::vector<std::uint64_t>;

// As the law has it: a list, the newest last.
class ListCache {
 public:
  explicit ListCache(std::size_t blocks) : blocks_(blocks) {}
  void use(const Keys& prefix) {
    for (const auto key : prefix) {
      std::erase(keys_, key);
      keys_.push_back(key);
      if (keys_.size() > blocks_) keys_.erase(keys_.begin());
    }
  }
  [[nodiscard]] std::size_t matched(const Keys& prefix) const {
    const auto first_gap = std::ranges::find_if(
        prefix, [&](auto key) { return std::ranges::find(keys_, key) == keys_.end(); });
    return static_cast<std::size_t>(first_gap - prefix.begin());
  }
  [[nodiscard]] const Keys& keys() const { return keys_; }
  void clear() { keys_.clear(); }

 private:
  std::size_t blocks_;
  Keys keys_;
};

// Keys that are alike in their low or their high bits crowd the table.
Keys any_prefix(std::uint64_t kinds, std::uint64_t apart) {
  Keys keys;
  const auto length = *rc::gen::inRange<std::size_t>(0, 12);
  for (std::size_t i = 0; i < length; ++i)
    keys.push_back(apart * *rc::gen::inRange<std::uint64_t>(0, kinds));
  return keys;
}

TEST(PrefixCache, HoldsWhatWasUsedLastAndNeverMore) {
  EXPECT_TRUE(rc::check([] {
    const auto blocks = *rc::gen::inRange<std::uint32_t>(1, 40);
    const auto kinds = *rc::gen::element<std::uint64_t>(5, 50, 500);
    const auto apart =
        *rc::gen::element<std::uint64_t>(1, 16, std::uint64_t{1} << 32U, std::uint64_t{1} << 60U);
    PrefixCache cache(blocks);
    ListCache list(blocks);
    for (int i = 0; i < 60; ++i) {
      const auto prefix = any_prefix(kinds, apart);
      RC_ASSERT(cache.matched(prefix) == list.matched(prefix));
      if (*rc::gen::inRange(0, 30) == 0) {
        cache.clear();
        list.clear();
      }
      cache.use(prefix);
      list.use(prefix);
      RC_ASSERT(cache.size() == list.keys().size());
      RC_ASSERT(cache.size() <= cache.capacity());
      RC_ASSERT(cache.matched(list.keys()) == list.keys().size());
    }
  }));
}

TEST(PrefixCache, AfterAGapNothingCounts) {
  PrefixCache cache;
  cache.use(Keys{1, 2, 4, 5});
  EXPECT_EQ(cache.matched(Keys{1, 2, 3, 4, 5}), 2U);
  EXPECT_EQ(cache.matched(Keys{3, 4, 5}), 0U);
  EXPECT_EQ(cache.matched(Keys{}), 0U);
}

TEST(PrefixCache, ThePrefixThatWasNotUsedForLongestLosesItsBeginning) {
  PrefixCache cache(4);
  cache.use(Keys{1, 2});
  cache.use(Keys{3, 4});
  cache.use(Keys{1, 2});
  cache.use(Keys{5});
  EXPECT_EQ(cache.matched(Keys{1, 2}), 2U);
  EXPECT_EQ(cache.matched(Keys{3, 4}), 0U);
  EXPECT_EQ(cache.matched(Keys{4}), 1U);
}

TEST(PrefixCache, OfAPrefixLongerThanTheCacheTheEndIsLeft) {
  PrefixCache cache(2);
  cache.use(Keys{1, 2, 3, 4});
  EXPECT_EQ(cache.size(), 2U);
  EXPECT_EQ(cache.matched(Keys{1, 2, 3, 4}), 0U);
  EXPECT_EQ(cache.matched(Keys{3, 4}), 2U);
}

TEST(PrefixCache, WithoutABoundEverythingStays) {
  PrefixCache cache;
  Keys all;
  for (std::uint64_t key = 0; key < 100'000; ++key) all.push_back(key * key);
  cache.use(all);
  cache.use(Keys{7});
  EXPECT_EQ(cache.size(), 100'001U);
  EXPECT_EQ(cache.matched(all), all.size());
  cache.clear();
  EXPECT_EQ(cache.size(), 0U);
  EXPECT_EQ(cache.matched(all), 0U);
}

TEST(PrefixCacheDeathTest, HasRoomForOneBlockAtLeast) {
  EXPECT_DEATH(PrefixCache(0), "room for one block");
}

}  // namespace
}  // namespace artel::dispatch
