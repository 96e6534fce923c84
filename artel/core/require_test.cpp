#include "artel/core/require.hpp"

#include <gtest/gtest.h>

namespace artel {
namespace {

TEST(Contract, HoldingConditionDoesNothing) { ARTEL_REQUIRE(1 + 1 == 2, "arithmetic works"); }

TEST(ContractDeathTest, BrokenConditionPrintsPlaceMessageAndValues) {
  const int workers = 0;
  const int limit = 8;
  EXPECT_DEATH(ARTEL_REQUIRE(workers > 0, "a pool needs a worker", workers, limit),
               "require_test.cpp:[0-9]+: contract broken: a pool needs a worker\n"
               "  required: workers > 0\n"
               "  values:   workers, limit = 0, 8");
}

TEST(ContractDeathTest, MessageWithoutValues) {
  EXPECT_DEATH(ARTEL_REQUIRE(false, "never"), "contract broken: never");
}

}  // namespace
}  // namespace artel
