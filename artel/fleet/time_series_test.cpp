#include "artel/fleet/time_series.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/stat/time_average.hpp"

namespace artel::fleet {
namespace {

Instant ns_later(std::int64_t ns) { return Instant{Duration{ns}}; }

TEST(TimeSeries, IsEmptyBeforeTimePasses) {
  TimeSeries series(4);
  series.add(ns_later(0), 3);
  EXPECT_TRUE(series.means().empty());
  EXPECT_TRUE(series.peaks().empty());
}

TEST(TimeSeries, AveragesOverEachBucket) {
  TimeSeries series(4);
  series.add(ns_later(0), 1);
  series.add(ns_later(2), 2);
  series.advance(ns_later(4));
  EXPECT_EQ(series.bucket(), Duration{2});  // 4 ns do not fit into 4 buckets [0, 4)
  EXPECT_EQ(series.means(), (std::vector<double>{1, 3}));
  EXPECT_EQ(series.peaks(), (std::vector<double>{1, 3}));
}

TEST(TimeSeries, MergedBucketsKeepAverageAndPeak) {
  TimeSeries series(2);
  series.add(ns_later(0), 8);
  series.add(ns_later(1), -8);
  series.advance(ns_later(8));
  EXPECT_EQ(series.bucket(), Duration{8});
  EXPECT_EQ(series.means(), (std::vector<double>{1}));
  EXPECT_EQ(series.peaks(), (std::vector<double>{8}));
}

TEST(TimeSeries, LastBucketCountsOnlyThePartThatIsPast) {
  TimeSeries series(2);
  series.add(ns_later(0), 6);
  series.advance(ns_later(9));
  EXPECT_EQ(series.bucket(), Duration{8});
  EXPECT_EQ(series.means(), (std::vector<double>{6, 6}));
}

TEST(TimeSeries, AValueHeldForNoTimeIsNoPeak) {
  TimeSeries series(2);
  series.add(ns_later(1), 5);
  series.add(ns_later(1), -5);
  series.advance(ns_later(2));
  for (const auto peak : series.peaks()) EXPECT_EQ(peak, 0);
}

RC_GTEST_PROP(TimeSeries, AgreesWithTheAverageOverAllTime, ()) {
  const auto steps = *rc::gen::container<std::vector<std::pair<std::uint16_t, std::int8_t>>>(
      rc::gen::arbitrary<std::pair<std::uint16_t, std::int8_t>>());
  TimeSeries series(8);
  stat::TimeAverage average;
  std::int64_t now = 0;
  for (const auto& [gap, change] : steps) {
    now += gap;
    series.add(ns_later(now), change);
    average.add(ns_later(now), change);
  }
  const auto means = series.means();
  RC_ASSERT(means.size() <= 8U);
  double area = 0;
  for (std::size_t b = 0; b < means.size(); ++b) {
    const auto start = static_cast<std::int64_t>(b) * series.bucket().count();
    area += means[b] * static_cast<double>(std::min(series.bucket().count(), now - start));
  }
  const double expected = average.mean(ns_later(now)) * static_cast<double>(now);
  RC_ASSERT(std::abs(area - expected) <= 1e-9 * (1 + std::abs(expected)));
}

}  // namespace
}  // namespace artel::fleet
