#include "artel/core/covering.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>

namespace artel {
namespace {

TEST(Covering, TheMedianOfAnEvenCountIsTheLowerMiddle) { EXPECT_EQ(covering(0.5, 10), 5U); }

TEST(Covering, EndsAreTheFirstAndTheLast) {
  EXPECT_EQ(covering(0, 10), 1U);
  EXPECT_EQ(covering(1, 10), 10U);
}

TEST(Covering, ARoundedDigitIsNotOneMore) { EXPECT_EQ(covering(0.55, 100), 55U); }

TEST(CoveringDeathTest, RefusesNothingAndWhatIsNoShare) {
  EXPECT_DEATH(static_cast<void>(covering(0.5, 0)), "nothing");
  EXPECT_DEATH(static_cast<void>(covering(1.5, 2)), "within");
}

RC_GTEST_PROP(Covering, IsTheLeastThatCoversTheShare, ()) {
  const auto count = *rc::gen::inRange<std::uint64_t>(1, 1 << 20);
  const double share = *rc::gen::inRange(0, 1025) / 1024.0;  // times count is exact
  const auto least = covering(share, count);
  const double asked = share * static_cast<double>(count);
  RC_ASSERT(static_cast<double>(least) >= asked);
  if (least > 1) RC_ASSERT(static_cast<double>(least - 1) < asked);
}

}  // namespace
}  // namespace artel
