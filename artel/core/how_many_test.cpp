#include "artel/core/how_many.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace artel {
namespace {

TEST(HowMany, SaysOneOfOneAlone) {
  EXPECT_EQ(how_many(1, "worker"), "1 worker");
  EXPECT_EQ(how_many(std::uint64_t{0}, "worker"), "0 workers");
  EXPECT_EQ(how_many(2, "field"), "2 fields");
}

}  // namespace
}  // namespace artel
