#include "artel/dispatch/closed_loop.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/shares.hpp"

namespace artel::dispatch {
namespace {

TEST(ClosedLoop, SamplesThePublishedShares) {
  const Shares shares(std::vector<double>{1, 0, 3});
  std::map<std::optional<WorkerId>, int> count;
  for (std::uint64_t dice = 0; dice < 40'000; ++dice) {
    ++count[choose(ClosedLoop{}, loads({0, 0, 9}), Draw{.dice = dice, .shares = &shares})];
  }
  EXPECT_NEAR(count[WorkerId{0}], 10'000, 350);
  EXPECT_EQ(count[WorkerId{1}], 0);
}

TEST(ClosedLoop, AFullWorkerIsThrownAgainThenTheNextServes) {
  const Shares shares(std::vector<double>{1, 1e-12, 1});
  const LoadArray queues = loads({1, 0, 0}, 1);
  int second = 0;
  for (std::uint64_t dice = 0; dice < 1000; ++dice) {
    const auto id = choose(ClosedLoop{}, queues, Draw{.dice = dice, .shares = &shares});
    ASSERT_NE(id, WorkerId{0});
    second += id == WorkerId{1} ? 1 : 0;
  }
  EXPECT_NEAR(second, 62, 40);  // four throws all hit worker 0; the one after it has room
  EXPECT_FALSE(choose(ClosedLoop{}, loads({1, 1}, 1), Draw{.shares = &shares}));
}

TEST(ClosedLoop, WithoutSharesItIsRandom) {
  const Shares empty;
  for (std::uint64_t dice = 0; dice < 100; ++dice) {
    const auto random = choose(Random{}, loads({1, 1, 1}), Draw{.dice = dice});
    EXPECT_EQ(choose(ClosedLoop{}, loads({1, 1, 1}), Draw{.dice = dice}), random);
    EXPECT_EQ(choose(ClosedLoop{}, loads({1, 1, 1}), Draw{.dice = dice, .shares = &empty}), random);
  }
}

TEST(ClosedLoop, SharesForMoreWorkersThanThereAreDoNoHarm) {
  const Shares shares(std::vector<double>{0, 0, 1});
  EXPECT_EQ(choose(ClosedLoop{}, loads({1, 0}, 1), Draw{.shares = &shares}), WorkerId{1});
}

}  // namespace
}  // namespace artel::dispatch
