#include "artel/pool/detail/watchdog.hpp"

#include <gtest/gtest.h>

#include "artel/core/id.hpp"

namespace artel::pool::detail {
namespace {

TEST(Watchdog, HasOneHolderOrOneSummons) {
  Watchdog watchdog;
  EXPECT_FALSE(watchdog.present());
  EXPECT_TRUE(watchdog.take(WorkerId{0}));
  EXPECT_FALSE(watchdog.take(WorkerId{1}));
  EXPECT_FALSE(watchdog.summon());
  watchdog.answer();  // not summoned: no effect
  EXPECT_TRUE(watchdog.present());
  watchdog.resign();
  EXPECT_TRUE(watchdog.summon());
  EXPECT_FALSE(watchdog.take(WorkerId{1}));
  watchdog.answer();
  EXPECT_FALSE(watchdog.present());
}

}  // namespace
}  // namespace artel::pool::detail
