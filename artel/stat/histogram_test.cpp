#include "artel/stat/histogram.hpp"

#include <gtest/gtest.h>

namespace artel::stat {
namespace {

TEST(Histogram, SmallValuesAreExact) {
  Histogram h;
  for (std::uint64_t x = 1; x <= 100; ++x) h.record(x);
  EXPECT_EQ(h.quantile(0.5), 50.0);
  EXPECT_EQ(h.quantile(0.99), 99.0);
  EXPECT_EQ(h.mean(), 50.5);
  EXPECT_EQ(h.tail(90), 0.1);
}

}  // namespace
}  // namespace artel::stat
