#include "artel/stat/histogram.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "artel/core/rounded_digit.hpp"

namespace artel::stat {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

/// Values of every order of magnitude, 0 and the largest included.
rc::Gen<std::uint64_t> value() {
  return rc::gen::mapcat(rc::gen::inRange(0, 65), [](int bits) {
    return rc::gen::map(rc::gen::inRange<std::uint64_t>(0, kLargest), [bits](std::uint64_t random) {
      return bits == 0 ? 0 : (random | std::uint64_t{1} << 63U) >> (64 - bits);
    });
  });
}

rc::Gen<std::vector<std::uint64_t>> values() {
  return rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint64_t>>(value()));
}

rc::Gen<unsigned> precision() {
  return rc::gen::inRange(Histogram::kPrecisionBitsMin, Histogram::kPrecisionBitsMax + 1);
}

Histogram histogram_of(const std::vector<std::uint64_t>& values, unsigned precision_bits) {
  Histogram histogram(precision_bits);
  for (const std::uint64_t value : values) histogram.record(value);
  return histogram;
}

Histogram::Bucket bucket_of(std::uint64_t value, unsigned precision_bits) {
  Histogram::Bucket found{};
  histogram_of({value}, precision_bits).for_each([&](const auto& bucket) { found = bucket; });
  return found;
}

bool same(const Histogram& a, const Histogram& b) {
  std::vector<std::uint64_t> cells_a;
  std::vector<std::uint64_t> cells_b;
  const auto into = [](auto& cells) {
    return [&cells](const Histogram::Bucket& bucket) {
      cells.insert(cells.end(), {bucket.low, bucket.high, bucket.count});
    };
  };
  a.for_each(into(cells_a));
  b.for_each(into(cells_b));
  return cells_a == cells_b && a.count() == b.count() && a.min() == b.min() && a.max() == b.max() &&
         (a.mean() == b.mean() || (a.empty() && b.empty()));
}

TEST(Histogram, SmallValuesAreExact) {
  Histogram histogram;
  for (std::uint64_t value = 1; value <= 100; ++value) histogram.record(value);
  EXPECT_EQ(histogram.quantile(0.5), 50.0);
  EXPECT_EQ(histogram.quantile(0.55), 55.0) << "0.55 * 100 is a little more than 55 in doubles";
  EXPECT_EQ(histogram.quantile(0.99), 99.0);
  EXPECT_EQ(histogram.mean(), 50.5);
  EXPECT_EQ(histogram.tail(90), 0.1);
  EXPECT_EQ(histogram.tail(90.5), 0.1);
}

TEST(Histogram, EmptyHasNoMeanAndNoQuantile) {
  const Histogram histogram;
  EXPECT_TRUE(histogram.empty());
  EXPECT_TRUE(std::isnan(histogram.mean()));
  EXPECT_TRUE(std::isnan(histogram.quantile(0.5)));
  EXPECT_TRUE(std::isnan(histogram.tail(1)));
  EXPECT_EQ(histogram.min(), 0U);
  EXPECT_EQ(histogram.max(), 0U);
}

TEST(Histogram, MeanIsExactWhenTheSumIsBeyond64Bits) {
  Histogram histogram;
  histogram.record(kLargest, 3);
  histogram.record(0);
  EXPECT_EQ(histogram.mean(), 0.75 * 0x1p64);
}

TEST(Histogram, QuantileInterpolatesInsideABucket) {
  // 16 384 … 16 447 is one bucket of 64 at 7 bits; all its values once, and one on either side.
  Histogram histogram;
  histogram.record(0);
  for (std::uint64_t value = 16'384; value < 16'448; ++value) histogram.record(value);
  histogram.record(100'000);
  EXPECT_EQ(histogram.quantile(0.5), 16'384 + 31);
  EXPECT_EQ(histogram.quantile(0.25), 16'384 + 15);
  EXPECT_NEAR(histogram.tail(16'384 + 15), 49.0 / 66, 1e-15);
}

TEST(Histogram, RecordingNothingChangesNothing) {
  Histogram histogram;
  histogram.record(kLargest, 0);
  EXPECT_TRUE(same(histogram, Histogram()));
  histogram.record(5);
  histogram.record(0, 0);
  histogram.record(9, 0);
  EXPECT_TRUE(same(histogram, histogram_of({5}, 7)));
}

TEST(Histogram, ClearForgetsEverything) {
  Histogram histogram = histogram_of({1, 1000, kLargest}, 7);
  histogram.clear();
  EXPECT_TRUE(same(histogram, Histogram()));
  histogram.record(5);
  EXPECT_EQ(histogram.quantile(1), 5.0);
}

TEST(HistogramDeathTest, RefusesPrecisionOutOfRange) {
  EXPECT_DEATH(Histogram(4), "precision out of range");
  EXPECT_DEATH(Histogram(15), "precision out of range");
}

TEST(HistogramDeathTest, RefusesToMergeWhatIsLessPrecise) {
  Histogram histogram(7);
  EXPECT_DEATH(histogram.merge(Histogram(6)), "at least as precise");
}

TEST(HistogramDeathTest, RefusesAQuantileBeyondOne) {
  Histogram histogram;
  histogram.record(1);
  EXPECT_DEATH(static_cast<void>(histogram.quantile(99)), "probability");
}

RC_GTEST_PROP(Histogram, BucketHoldsItsValueAndIsNarrow, ()) {
  const auto bits = *precision();
  const auto value_in = *value();
  const auto bucket = bucket_of(value_in, bits);
  RC_ASSERT(bucket.low <= value_in);
  RC_ASSERT(value_in <= bucket.high);
  // width <= low · 2^-(bits + 1), in whole numbers
  RC_ASSERT(bucket.low == bucket.high || bucket.high - bucket.low < bucket.low >> (bits + 1));
  if (value_in < std::uint64_t{1} << (bits + 2)) RC_ASSERT(bucket.low == bucket.high);
}

RC_GTEST_PROP(Histogram, BucketsTouchEachOther, ()) {
  const auto bits = *precision();
  const auto bucket = bucket_of(*value(), bits);
  if (bucket.high < kLargest) RC_ASSERT(bucket_of(bucket.high + 1, bits).low == bucket.high + 1);
  if (bucket.low > 0) RC_ASSERT(bucket_of(bucket.low - 1, bits).high == bucket.low - 1);
}

RC_GTEST_PROP(Histogram, QuantileIsWithinTheBoundOfTheSortedValue, ()) {
  const auto bits = *precision();
  auto sorted = *values();
  std::sort(sorted.begin(), sorted.end());
  const auto histogram = histogram_of(sorted, bits);
  const double p = *rc::gen::inRange(0, 1001) / 1000.0;
  const double rank = std::max(1.0, near_ceil(p * static_cast<double>(sorted.size())));
  const auto exact = static_cast<double>(sorted[static_cast<std::size_t>(rank) - 1]);
  const double found = histogram.quantile(p);
  RC_ASSERT(std::abs(found - exact) <= exact * std::ldexp(1, -static_cast<int>(bits) - 1));
  RC_ASSERT(found >= static_cast<double>(sorted.front()));
  RC_ASSERT(found <= static_cast<double>(sorted.back()));
}

RC_GTEST_PROP(Histogram, QuantileRunsFromMinToMaxWithoutFalling, ()) {
  const auto histogram = histogram_of(*values(), *precision());
  double before = histogram.quantile(0);
  RC_ASSERT(before == static_cast<double>(histogram.min()));
  for (int i = 1; i <= 100; ++i) {
    const double now = histogram.quantile(i / 100.0);
    RC_ASSERT(now >= before);
    before = now;
  }
  RC_ASSERT(before == static_cast<double>(histogram.max()));
}

RC_GTEST_PROP(Histogram, TailIsExactAtTheEndOfABucket, ()) {
  const auto bits = *precision();
  const auto recorded = *values();
  const auto histogram = histogram_of(recorded, bits);
  const auto end = bucket_of(*rc::gen::oneOf(value(), rc::gen::elementOf(recorded)), bits).high;
  // above 2^53 a double cannot name the last value of a bucket
  RC_PRE(end < std::uint64_t{1} << 53U);
  const auto above = std::count_if(recorded.begin(), recorded.end(),
                                   [end](std::uint64_t value) { return value > end; });
  RC_ASSERT(histogram.tail(static_cast<double>(end)) ==
            static_cast<double>(above) / static_cast<double>(recorded.size()));
}

RC_GTEST_PROP(Histogram, TailNeverRises, ()) {
  const auto histogram = histogram_of(*values(), *precision());
  const auto x = static_cast<double>(*value());
  const auto y = static_cast<double>(*value());
  RC_ASSERT(histogram.tail(std::max(x, y)) <= histogram.tail(std::min(x, y)));
  RC_ASSERT(histogram.tail(-1) == 1.0);
  RC_ASSERT(histogram.tail(0x1p65) == 0.0);
}

RC_GTEST_PROP(Histogram, MergingEqualsRecordingAll, ()) {
  const auto bits = *precision();
  const auto first = *rc::gen::container<std::vector<std::uint64_t>>(value());
  const auto second = *rc::gen::container<std::vector<std::uint64_t>>(value());
  auto all = first;
  all.insert(all.end(), second.begin(), second.end());
  auto merged = histogram_of(first, bits);
  merged.merge(histogram_of(second, bits));
  RC_ASSERT(same(merged, histogram_of(all, bits)));
}

RC_GTEST_PROP(Histogram, RecordingACountEqualsRepeating, ()) {
  const auto bits = *precision();
  const auto repeated = *value();
  const auto count = *rc::gen::inRange<std::size_t>(0, 100);
  Histogram histogram(bits);
  histogram.record(repeated, count);
  RC_ASSERT(same(histogram, histogram_of(std::vector(count, repeated), bits)));
}

RC_GTEST_PROP(Histogram, IsMadeAgainFromItsParts, ()) {
  const auto bits = *precision();
  const auto histogram =
      histogram_of(*rc::gen::container<std::vector<std::uint64_t>>(value()), bits);
  const auto again = Histogram::of(histogram.parts());
  RC_ASSERT(same(histogram, again.value_or(Histogram(bits))));
  RC_ASSERT(again.has_value());
}

TEST(Histogram, PartsThatNoHistogramHasAreRefused) {
  const auto refused = [](auto change) {
    auto parts = histogram_of({3, 3, 900, 1'000'000}, 7).parts();
    change(parts);
    return !Histogram::of(parts).has_value();
  };
  EXPECT_FALSE(refused([](Histogram::Parts&) {}));
  EXPECT_TRUE(refused([](Histogram::Parts& p) { p.precision_bits = 4; }));
  EXPECT_TRUE(refused([](Histogram::Parts& p) { p.min = 4; }));
  EXPECT_TRUE(refused([](Histogram::Parts& p) { p.max = 2'000'000; }));
  EXPECT_TRUE(refused([](Histogram::Parts& p) { p.sum_low = 10; }));
  EXPECT_TRUE(refused([](Histogram::Parts& p) { p.sum_high = 1; }));
  EXPECT_TRUE(refused([](Histogram::Parts& p) { p.buckets[0].second = 0; }));
  EXPECT_TRUE(refused([](Histogram::Parts& p) { std::swap(p.buckets[0], p.buckets[1]); }));
  EXPECT_TRUE(refused([](Histogram::Parts& p) { p.buckets[1].second = kLargest; }));
  EXPECT_TRUE(refused([](Histogram::Parts& p) { p.buckets.back().first = kLargest; }));
  EXPECT_TRUE(refused([](Histogram::Parts& p) { p.buckets.clear(); }));
}

}  // namespace
}  // namespace artel::stat
