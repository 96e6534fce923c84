#include "artel/dispatch/membership.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"

namespace artel::dispatch {
namespace {

using ::testing::HasSubstr;

TEST(Membership, FreeIdsAreGivenOutAgainLowestFirst) {
  Membership members(SizeLimits{});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(index(*members.join()), static_cast<std::size_t>(i));
  for (const auto id : {2U, 0U}) {
    ASSERT_TRUE(members.leave(WorkerId{id}));
    members.gone(WorkerId{id});
  }
  EXPECT_EQ(members.join(), WorkerId{0});
  EXPECT_EQ(members.join(), WorkerId{2});
  EXPECT_EQ(members.join(), WorkerId{3});
}

TEST(Membership, BeyondMaxNamesTheSizes) {
  Membership members({.min = 1, .max = 2});
  ASSERT_TRUE(members.join() && members.join());
  const auto third = members.join();
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, ErrorCode::invalid);
  EXPECT_EQ(third.error().what, "cannot grow by 1: from 2 workers, sizes possible are 1 to 2");
}

TEST(Membership, BelowMinNamesTheSizes) {
  Membership members({.min = 1});
  ASSERT_TRUE(members.join());
  EXPECT_EQ(members.leave(WorkerId{0}).error().what,
            "worker 0 cannot leave: of 1 worker, sizes possible are 1 or more");
  EXPECT_THAT(members.check_shrink(1).error().what, HasSubstr("sizes possible are 1 or more"));
}

TEST(Membership, ShrinkingAgainWaitsForThoseThatLeave) {
  Membership members({.min = 1, .max = 8});
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(members.join());
  ASSERT_TRUE(members.leave(WorkerId{3}));
  EXPECT_EQ(members.check_shrink(1).error().what,
            "already shrinking by 1 worker; 3 stay, sizes possible after that are 1 to "
            "8");
  EXPECT_EQ(members.leave(WorkerId{3}).error().what, "worker 3 is leaving already");
  members.gone(WorkerId{3});
  EXPECT_TRUE(members.check_shrink(2));
  EXPECT_FALSE(members.check_shrink(3));
}

TEST(Membership, ALeavingWorkerMakesRoomToGrow) {
  Membership members({.max = 2});
  ASSERT_TRUE(members.join() && members.join());
  ASSERT_TRUE(members.leave(WorkerId{0}));
  EXPECT_EQ(members.join(), WorkerId{2});
}

TEST(Membership, UnknownWorkerIsNotFound) {
  Membership members(SizeLimits{});
  EXPECT_EQ(members.leave(WorkerId{4}).error().code, ErrorCode::not_found);
}

TEST(Membership, ExpelledWorkerLeavesWhateverTheMinimum) {
  Membership members({.min = 1});
  ASSERT_TRUE(members.join());
  members.expel(WorkerId{0});
  EXPECT_TRUE(members.leaving(WorkerId{0}));
  members.expel(WorkerId{0});  // leaving already: stays so
  EXPECT_TRUE(members.leaving(WorkerId{0}));
  members.gone(WorkerId{0});
  EXPECT_DEATH(members.expel(WorkerId{0}), "no such worker");
}

}  // namespace
}  // namespace artel::dispatch
