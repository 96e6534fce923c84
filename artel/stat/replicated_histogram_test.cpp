#include "artel/stat/replicated_histogram.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "artel/stat/histogram.hpp"

namespace artel::stat {
namespace {

constexpr unsigned kBits = 10;

Histogram plain_histogram(const std::vector<std::uint64_t>& values, unsigned bits = kBits) {
  Histogram histogram(bits);
  for (const auto value : values) histogram.record(value);
  return histogram;
}

TEST(ReplicatedHistogram, QuantileIsOfAllValuesTogether) {
  ReplicatedHistogram times(kBits);
  for (std::size_t i = 0; i < 9; ++i)
    times.add(i, plain_histogram(std::vector<std::uint64_t>(100, 1)));
  times.add(9, plain_histogram(std::vector<std::uint64_t>(100, 1000)));
  EXPECT_EQ(times.quantile(0.5, 0.99).center, 1);
  EXPECT_EQ(times.quantile(0.95, 0.99).center, 1000) << "the mean of the ten quantiles is 100.9";
}

TEST(ReplicatedHistogram, WithoutEvidenceItIsInfinitelyWide) {
  ReplicatedHistogram times(kBits);
  EXPECT_TRUE(std::isnan(times.quantile(0.5, 0.99).center));
  EXPECT_EQ(times.quantile(0.5, 0.99).half_width, INFINITY);
  times.add(0, plain_histogram({1, 2, 3}));
  EXPECT_EQ(times.quantile(0.5, 0.99).half_width, INFINITY) << "one replication";
  times.add(1, plain_histogram({}));
  EXPECT_EQ(times.quantile(0.5, 0.99).half_width, INFINITY) << "and one without values";
  times.add(2, plain_histogram({1, 5, 6}));
  EXPECT_EQ(times.quantile(0.99, 0.99).half_width, INFINITY) << "the share above may be none";
}

// A limit that every fiftieth value reaches, and none passes.
TEST(ReplicatedHistogram, TheLargestValueCanBeKnown) {
  ReplicatedHistogram times(kBits);
  for (std::size_t i = 0; i < 10; ++i) {
    auto values = plain_histogram(std::vector<std::uint64_t>(980, 100));
    values.record(1000, 19 + i % 3);
    times.add(i, values);
  }
  const auto p99 = times.quantile(0.99, 0.99);
  EXPECT_EQ(p99.center, 1000);
  EXPECT_LT(p99.half_width, 10);
}

TEST(ReplicatedHistogram, EqualReplicationsLeaveNoDoubt) {
  ReplicatedHistogram times(kBits);
  for (std::size_t i = 0; i < 3; ++i) times.add(i, plain_histogram({1, 2, 3, 4}));
  EXPECT_EQ(times.quantile(0.5, 0.99).half_width, 0);
}

// Independent values, and those of which a replication's own all hang together: 99 in 100 intervals
// hold the true quantile. 400 experiments: 388 is what fewer than 1 in 1 000 right ones fall short
// of.
TEST(ReplicatedHistogram, IntervalsHoldWhatTheyPromise) {
  std::mt19937_64 dice(7);
  std::exponential_distribution<double> exponential(1e-6);
  for (const bool together : {false, true}) {
    int median = 0;
    int tail = 0;
    for (int experiment = 0; experiment < 400; ++experiment) {
      ReplicatedHistogram times(kBits);
      for (std::size_t i = 0; i < 20; ++i) {
        // An eighth of a replication's values are equal to another one of them.
        Histogram values(kBits);
        for (int k = 0; k < (together ? 250 : 2000); ++k) {
          values.record(static_cast<std::uint64_t>(exponential(dice)), together ? 8 : 1);
        }
        times.add(i, values);
      }
      median += times.quantile(0.5, 0.99).contains(1e6 * std::log(2)) ? 1 : 0;
      tail += times.quantile(0.95, 0.99).contains(1e6 * std::log(20)) ? 1 : 0;
    }
    EXPECT_GE(median, 388) << together;
    EXPECT_GE(tail, 388) << together;
  }
}

RC_GTEST_PROP(ReplicatedHistogram, DoesNotDependOnTheOrder,
              (const std::vector<std::vector<std::uint32_t>>& replications, std::uint64_t seed)) {
  std::vector<std::size_t> order(replications.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  ReplicatedHistogram one(kBits);
  for (const auto i : order)
    one.add(7 * i, plain_histogram({replications[i].begin(), replications[i].end()}));
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  ReplicatedHistogram other(kBits);
  for (const auto i : order)
    other.add(7 * i, plain_histogram({replications[i].begin(), replications[i].end()}));
  const auto a = one.quantile(0.9, 0.9);
  const auto b = other.quantile(0.9, 0.9);
  RC_ASSERT(a.center == b.center || (std::isnan(a.center) && std::isnan(b.center)));
  RC_ASSERT(a.half_width == b.half_width);
  const auto again = ReplicatedHistogram::of(one.all(), one.groups());
  RC_ASSERT(again.value_or(ReplicatedHistogram(kBits)).quantile(0.9, 0.9).half_width ==
            a.half_width);
  RC_ASSERT(again.has_value());
}

TEST(ReplicatedHistogram, PartsThatBelongToNoneAreRefused) {
  const auto all = plain_histogram({1, 2});
  const auto group = plain_histogram({1, 2}, ReplicatedHistogram::kGroupBits);
  EXPECT_TRUE(ReplicatedHistogram::of(all, {group}));
  EXPECT_FALSE(ReplicatedHistogram::of(all, {group, group}));
  EXPECT_FALSE(ReplicatedHistogram::of(all, {all}));
  const Histogram nothing(ReplicatedHistogram::kGroupBits);
  EXPECT_FALSE(ReplicatedHistogram::of(all, std::vector(33, nothing)));
}

RC_GTEST_PROP(Histogram, MergingMorePreciseOnesEqualsRecordingAll,
              (const std::vector<std::uint64_t>& values)) {
  Histogram coarse(6);
  coarse.merge(plain_histogram(values, 9));
  const auto exact = plain_histogram(values, 6).parts();
  const auto merged = coarse.parts();
  RC_ASSERT(merged.buckets == exact.buckets);
  RC_ASSERT(merged.min == exact.min);
  RC_ASSERT(merged.max == exact.max);
  RC_ASSERT(merged.sum_low == exact.sum_low);
}

}  // namespace
}  // namespace artel::stat
