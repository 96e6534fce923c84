#include "artel/dispatch/dice.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "artel/dispatch/draw.hpp"

namespace artel::dispatch {
namespace {

TEST(Dice, SameDrawSameNumbers) {
  Dice a(Draw{.dice = 42});
  Dice b(Draw{.dice = 42});
  for (int i = 0; i < 10; ++i) EXPECT_EQ(a.below(1000), b.below(1000));
}

TEST(Dice, NumbersArePinned) {
  std::uint64_t state = 0;
  EXPECT_EQ(splitmix64(state), 0xE220A8397B1DCDAFU);  // Vigna's splitmix64.c, seed 0
  EXPECT_EQ(splitmix64(state), 0x6E789E6AA1B965F4U);
  Dice dice(Draw{.dice = 0});
  EXPECT_EQ(dice.below(100), 88U);  // 0xE220A839 * 100 / 2^32
}

TEST(Dice, EverySideComesUpEquallyOftenOverConsecutiveDraws) {
  constexpr int kDraws = 60'000;
  std::array<int, 6> count{};
  for (std::uint64_t i = 0; i < kDraws; ++i) ++count[Dice(Draw{.dice = i}).below(6)];
  for (const int each : count) EXPECT_NEAR(each, kDraws / 6.0, 400);  // 4 standard deviations
}

TEST(Dice, UniformStaysBelowOne) {
  Dice dice(Draw{.dice = 7});
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double u = dice.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.012);
}

}  // namespace
}  // namespace artel::dispatch
