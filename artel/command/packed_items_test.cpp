#include "artel/command/packed_items.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/command/item_reader.hpp"

namespace artel::command {
namespace {

using testing::ElementsAre;
using Texts = std::vector<std::string>;

// The items of each job, joined.
Texts jobs_of(Texts items, PackLimits limits) {
  ListedItems listed(std::move(items));
  PackedItems packed(listed, limits, [](std::string_view item) { return item.size() + 1; });
  Texts jobs(1);
  std::string item;
  for (auto supply = packed.next(item); supply && *supply != Supply::end;
       supply = packed.next(item)) {
    if (*supply == Supply::cut) {
      jobs.emplace_back();
    } else {
      jobs.back() += item;
    }
  }
  return jobs;
}

TEST(PackedItems, CutWhereAnotherOneHasNoRoom) {
  const PackLimits limits{.items_max = 100, .bytes_max = 6, .words_max = 100};
  EXPECT_THAT(jobs_of({"a", "b", "c", "d", "ef", "g", "toolong", "h"}, limits),
              ElementsAre("abc", "def", "g", "toolong", "h"));
  EXPECT_THAT(jobs_of({}, limits), ElementsAre(""));
  EXPECT_THAT(jobs_of({"a", "b", "c", "d"}, {.items_max = 2, .bytes_max = 99, .words_max = 9}),
              ElementsAre("ab", "cd"));
  EXPECT_THAT(jobs_of({"a", "b", "c"}, {.items_max = 9, .bytes_max = 99, .words_max = 2}),
              ElementsAre("ab", "c"));
}

TEST(PackedItems, WhatIsLeftIsSpread) {
  const PackLimits limits{.items_max = 100, .bytes_max = 12, .words_max = 100, .spread = 2};
  EXPECT_THAT(jobs_of({"a", "b", "c", "d", "e"}, limits), ElementsAre("abc", "de"));
  EXPECT_THAT(jobs_of({"a", "b", "c", "d", "e", "f", "g", "h", "i"}, limits),
              ElementsAre("abcdef", "gh", "i"));
  EXPECT_THAT(jobs_of({"a"}, limits), ElementsAre("a"));
}

TEST(PackLimits, AreThoseOfXargs) {
  const auto limits = pack_limits(14, 0);
  ASSERT_TRUE(limits);
  EXPECT_EQ(limits->bytes_max, 131'072 - 14);
  EXPECT_EQ(pack_limits(14, 1000)->bytes_max, 1000 - 14);
  EXPECT_FALSE(pack_limits(14, 14));
}

}  // namespace
}  // namespace artel::command
