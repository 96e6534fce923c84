#include "artel/fleet/detail/codel.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "artel/core/instant.hpp"

namespace artel::fleet::detail {
namespace {

using namespace std::chrono_literals;

// Target 5 ms, interval 100 ms: the first drop after an interval above the target, the next ones
// after 100 ms / sqrt(count) each.
TEST(Codel, DropsMoreAndMoreOftenUntilTheWaitIsAllRight) {
  Codel codel({.target = 5ms, .interval = 100ms});
  const auto drops = [&](Duration at, Duration waited) {
    return codel.drops(Instant{at}, waited, false);
  };
  EXPECT_FALSE(drops(0ms, 4ms));
  EXPECT_FALSE(drops(10ms, 6ms));
  EXPECT_FALSE(drops(109ms, 6ms));
  EXPECT_TRUE(drops(110ms, 6ms));
  EXPECT_FALSE(drops(209ms, 6ms));
  EXPECT_TRUE(drops(210ms, 6ms));  // then 100 ms / sqrt(2) later
  EXPECT_FALSE(drops(280ms, 6ms));
  EXPECT_TRUE(drops(281ms, 6ms));
  EXPECT_FALSE(drops(290ms, 4ms));  // that is all right
  EXPECT_FALSE(drops(400ms, 6ms));
  EXPECT_TRUE(drops(500ms, 6ms));  // soon after: it goes on with 2 drops, not 1
  EXPECT_TRUE(drops(571ms, 6ms));
}

// RFC 8289: the drop after next is planned only if what is behind a dropped one was late, too.
TEST(Codel, PlansTheDropAfterNextOnlyIfTheNextOneWasLateToo) {
  Codel codel({.target = 5ms, .interval = 100ms});
  const auto drops = [&](Duration at, Duration waited) {
    return codel.drops(Instant{at}, waited, false);
  };
  EXPECT_FALSE(drops(0ms, 6ms));
  EXPECT_TRUE(drops(100ms, 6ms));  // the next one at 200 ms
  EXPECT_FALSE(drops(100ms, 6ms));
  EXPECT_TRUE(drops(200ms, 6ms));
  EXPECT_TRUE(drops(300ms, 6ms));   // at 270.7 ms, and then at 328.4 ms
  EXPECT_FALSE(drops(300ms, 4ms));  // but for this one
  EXPECT_FALSE(drops(1700ms, 6ms));
  EXPECT_TRUE(drops(1871ms, 6ms));  // 1.6 s after 270.7 ms is no short time
  EXPECT_FALSE(drops(1970ms, 6ms));
  EXPECT_TRUE(drops(1971ms, 6ms));  // so that it begins with one drop again
}

TEST(Codel, NeverDropsTheLast) {
  Codel codel({.target = 5ms, .interval = 100ms});
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(codel.drops(Instant{i * 100ms}, 1s, true));
}

}  // namespace
}  // namespace artel::fleet::detail
