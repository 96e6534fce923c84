#include "artel/random/pcg64.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <pcg_random.hpp>
#include <vector>

namespace artel::random {
namespace {

pcg64::state_type wide(Pcg64::Word128 word) {
  return static_cast<pcg64::state_type>(word.high) << 64U | word.low;
}

TEST(Pcg64, GivesTheNumbersOfItsAuthorsDemo) {
  // pcg64-demo of pcg-cpp: seed 42, stream 54
  Pcg64 engine({.state = {.high = 0, .low = 42}, .sequence = {.high = 0, .low = 54}});
  const std::vector<std::uint64_t> expected{0x86b1da1d72062b68, 0x1304aa46c9853d39,
                                            0xa3670e9e0dd50358, 0xf9090e529a7dae00,
                                            0xc85b9fd837996f2c, 0x606121f8e3919196};
  for (const std::uint64_t number : expected) EXPECT_EQ(engine(), number);
}

RC_GTEST_PROP(Pcg64, EqualsTheReferenceImplementation, ()) {
  const auto word = [] {
    const auto any = rc::gen::inRange<std::uint64_t>(0, UINT64_MAX);
    return Pcg64::Word128{.high = *any, .low = *any};
  };
  const Pcg64::StartingPoint start{.state = word(), .sequence = word()};
  Pcg64 engine(start);
  pcg64 reference(wide(start.state), wide(start.sequence));
  for (int i = 0; i < 100; ++i) RC_ASSERT(engine() == reference());
}

}  // namespace
}  // namespace artel::random
