#include "artel/random/stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/id.hpp"

namespace artel::random {
namespace {

static_assert(std::uniform_random_bit_generator<Stream>);

using ::testing::ElementsAre;
using ::testing::Ne;

std::vector<std::uint64_t> first(Stream stream, std::size_t count) {
  std::vector<std::uint64_t> draws(count);
  for (auto& draw : draws) draw = stream();
  return draws;
}

/// Sample correlation of the uniform draws of two streams.
double correlation(Stream a, Stream b, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (a.uniform() - 0.5) * (b.uniform() - 0.5);
  return 12 * sum / count;
}

TEST(Stream, GivesTheSameBitsOnEveryCompiler) {
  EXPECT_THAT(
      first(Stream(Seed{1}, "arrivals"), 4),
      ElementsAre(0x52e2b9aa42c7e733, 0x58aa386cde45e7c6, 0x23077e7e9a9883b2, 0x38ddfc2fc1b8094b));
  EXPECT_THAT(first(Stream(Seed{1}, "dice", 3), 2),
              ElementsAre(0x4b00ca15ec9c95e4, 0xd415e025fa8e1f3e));
  EXPECT_THAT(first(Stream(Seed{0}, ""), 2), ElementsAre(0x8a0a4f108b9f67df, 0x73efcad83f0a42ba));
}

TEST(Stream, DependsOnSeedNameAndIndex) {
  const Stream stream(Seed{1}, "sizes", 2);
  EXPECT_EQ(stream, Stream(Seed{1}, "sizes", 2));
  EXPECT_THAT(stream, Ne(Stream(Seed{2}, "sizes", 2)));
  EXPECT_THAT(stream, Ne(Stream(Seed{1}, "size", 2)));
  EXPECT_THAT(stream, Ne(Stream(Seed{1}, "sizes", 3)));
}

TEST(Stream, IndexIsNotTheSeed) {
  EXPECT_THAT(Stream(Seed{1}, "sizes", 2), Ne(Stream(Seed{2}, "sizes", 1)));
  EXPECT_THAT(Stream(Seed{0}, "sizes", 1), Ne(Stream(Seed{1}, "sizes", 0)));
}

TEST(Stream, DrawsFromOneDoNotShiftAnother) {
  Stream arrivals(Seed{7}, "arrivals");
  Stream sizes(Seed{7}, "sizes");
  const auto alone = first(sizes, 100);
  for (const std::uint64_t expected : alone) {
    for (std::uint64_t i = 0; i <= expected % 3; ++i) static_cast<void>(arrivals());
    EXPECT_EQ(sizes(), expected);
  }
}

TEST(Stream, CopyRepeatsTheSameNumbers) {
  Stream stream(Seed{7}, "sizes");
  static_cast<void>(stream());
  EXPECT_EQ(first(stream, 10), first(stream, 10));
}

TEST(Stream, NeighboursAreNotCorrelated) {
  const int count = 100'000;
  const double bound = 4.5 / std::sqrt(count);
  for (std::uint64_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(correlation(Stream(Seed{1}, "dice", i), Stream(Seed{1}, "dice", i + 1), count), 0,
                bound);
    EXPECT_NEAR(correlation(Stream(Seed{i}, "dice"), Stream(Seed{i + 1}, "dice"), count), 0, bound);
  }
  EXPECT_NEAR(correlation(Stream(Seed{1}, "a"), Stream(Seed{1}, "b"), count), 0, bound);
}

TEST(Stream, EveryBitIsSetHalfOfTheTime) {
  const int count = 100'000;
  std::array<int, 64> set{};
  Stream stream(Seed{3}, "bits");
  for (int i = 0; i < count; ++i) {
    const std::uint64_t draw = stream();
    for (std::size_t bit = 0; bit < set.size(); ++bit) set[bit] += (draw >> bit & 1U) != 0 ? 1 : 0;
  }
  for (const int ones : set) EXPECT_NEAR(ones, count / 2.0, 4.5 * std::sqrt(count) / 2);
}

TEST(Stream, UniformFillsTheUnitIntervalEvenly) {
  const int count = 1'000'000;
  std::array<int, 100> hits{};
  Stream stream(Seed{4}, "uniform");
  for (int i = 0; i < count; ++i) {
    const double draw = stream.uniform();
    ASSERT_GE(draw, 0.0);
    ASSERT_LT(draw, 1.0);
    ++hits.at(static_cast<std::size_t>(draw * 100));
  }
  double chi_squared = 0;
  for (const int n : hits) chi_squared += (n - 1e4) * (n - 1e4) / 1e4;
  EXPECT_LT(chi_squared, 161.3);  // 99 degrees of freedom, exceeded once in 10 000
  EXPECT_GT(chi_squared, 52.1);
}

TEST(Stream, BelowHitsEveryNumberEquallyOften) {
  const int count = 700'000;
  std::array<int, 7> hits{};
  Stream stream(Seed{5}, "below");
  for (int i = 0; i < count; ++i) ++hits.at(stream.below(7));
  double chi_squared = 0;
  for (const int n : hits) chi_squared += (n - 1e5) * (n - 1e5) / 1e5;
  EXPECT_LT(chi_squared, 27.9);  // 6 degrees of freedom, exceeded once in 10 000
}

TEST(Stream, BelowIsUnbiasedWhereMultiplicationAloneIsNot) {
  // n = 3/4 · 2^64: the high half of draw · n alone would be a multiple of 3 half of the time.
  const int count = 100'000;
  int multiples = 0;
  Stream stream(Seed{6}, "below");
  for (int i = 0; i < count; ++i) {
    multiples += stream.below(std::uint64_t{3} << 62U) % 3 == 0 ? 1 : 0;
  }
  EXPECT_NEAR(multiples, count / 3.0, 4.5 * std::sqrt(count * 2 / 9.0));
}

TEST(StreamDeathTest, BelowRefusesZero) {
  Stream stream(Seed{1}, "below");
  EXPECT_DEATH(static_cast<void>(stream.below(0)), "no number below 0");
}

RC_GTEST_PROP(Stream, BelowStaysBelow, (std::uint64_t seed, std::uint64_t n)) {
  RC_PRE(n > 0U);
  Stream stream(Seed{seed}, "below");
  for (int i = 0; i < 10; ++i) RC_ASSERT(stream.below(n) < n);
}

RC_GTEST_PROP(Stream, DifferentNamesDiffer, (const std::string& a, const std::string& b)) {
  RC_PRE(a != b);
  RC_ASSERT(!(Stream(Seed{1}, a) == Stream(Seed{1}, b)));
}

}  // namespace
}  // namespace artel::random
