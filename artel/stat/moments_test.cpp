#include "artel/stat/moments.hpp"

#include <gtest/gtest.h>

namespace artel::stat {
namespace {

TEST(Moments, OfThreeNumbers) {
  Moments m;
  for (const double x : {1.0, 2.0, 6.0}) m.add(x);
  EXPECT_EQ(m.mean(), 3.0);
  EXPECT_EQ(m.variance(), 7.0);
}

}  // namespace
}  // namespace artel::stat
