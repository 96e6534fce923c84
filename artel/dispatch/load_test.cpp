#include "artel/dispatch/load.hpp"

#include <gtest/gtest.h>

namespace artel::dispatch {
namespace {

TEST(Load, RoomIsWhatCapacityLeaves) {
  EXPECT_EQ((Load{.queued = 1, .capacity = 3}.room()), 2U);
  EXPECT_EQ((Load{.queued = 3, .capacity = 3}.room()), 0U);
  EXPECT_EQ((Load{.queued = 3, .capacity = 0}.room()), 0U);  // leaving, with tasks to finish
}

TEST(Load, GroupsNarrowDown) {
  const Load leaving{.queued = 0, .capacity = 0};
  const Load full{.queued = 2, .capacity = 2};
  const Load busy{.queued = 1, .capacity = 2};
  const Load idle{.queued = 0, .capacity = 2};
  EXPECT_FALSE(belongs(leaving, Group::members));
  EXPECT_TRUE(belongs(full, Group::members));
  EXPECT_FALSE(belongs(full, Group::open));
  EXPECT_TRUE(belongs(busy, Group::open));
  EXPECT_FALSE(belongs(busy, Group::idle));
  EXPECT_TRUE(belongs(idle, Group::idle));
}

}  // namespace
}  // namespace artel::dispatch
