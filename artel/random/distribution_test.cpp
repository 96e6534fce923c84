#include "artel/random/distribution.hpp"

#include <gtest/gtest.h>

namespace artel::random {
namespace {

TEST(Distribution, DescribesItself) {
  EXPECT_EQ(Distribution::exponential(1)->describe(), "exponential(mean 1)");
  EXPECT_EQ((Distribution::mixture({{0.5, 1.0}, {0.5, *Distribution::exponential(3)}})->describe()),
            "mixture(0.5 constant(1), 0.5 exponential(mean 3))");
}

}  // namespace
}  // namespace artel::random
