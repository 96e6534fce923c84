#include "artel/metrics/page_change.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "artel/metrics/metrics_page.hpp"

namespace artel::metrics {
namespace {

using testing::DoubleEq;
using testing::Optional;

MetricsPage read_page(const std::string& text) { return read_metrics_page(text, "page").page; }

TEST(PageChange, RatesArePerSecond) {
  const auto before = read_page("done{w=\"a\"} 10\ndone{w=\"b\"} 5\n");
  const auto now = read_page("done{w=\"a\"} 30\ndone{w=\"b\"} 6\nnew 7\n");
  const PageChange change(before, now, 2);
  EXPECT_EQ(change.rate("done"), 10.5);
  EXPECT_EQ(change.rate("done", {{"w", "b"}}), 0.5);
  EXPECT_EQ(change.rate("done", {{"w", "c"}}), std::nullopt);
  EXPECT_EQ(change.rate("new"), std::nullopt);  // nobody knows since when
  EXPECT_EQ(change.rate("gone"), std::nullopt);
}

TEST(PageChange, ACounterThatBeganAnewGrewFromZero) {
  EXPECT_EQ(counter_growth(100, 3), 3);
  EXPECT_EQ(counter_growth(100, 100), 0);
  EXPECT_EQ(counter_growth(0, 4), 4);
  const auto before = read_page("done 100\nother 1\n");
  const auto now = read_page("done 3\nother NaN\n");
  const PageChange change(before, now, 1);
  EXPECT_EQ(change.growth("done"), 3);
  EXPECT_EQ(change.growth("other"), std::nullopt);
}

TEST(PageChange, QuantilesAreOfTheTimeInBetween) {
  const std::string before =
      "t_bucket{le=\"1\"} 1000\nt_bucket{le=\"2\"} 1000\nt_bucket{le=\"+Inf\"} 1000\n";
  const std::string now =
      "t_bucket{le=\"1\"} 1000\nt_bucket{le=\"2\"} 1100\nt_bucket{le=\"+Inf\"} 1100\n";
  const auto first = read_page(before), second = read_page(now);
  EXPECT_EQ(PageChange(first, second, 1).quantile(0.5, "t"), 1.5);
  EXPECT_EQ(PageChange(first, second, 1).quantile(0.99, "t"), 1.99);
  EXPECT_EQ(PageChange(first, first, 1).quantile(0.5, "t"), std::nullopt);
  EXPECT_EQ(PageChange(first, second, 1).quantile(0.5, "u"), std::nullopt);
}

TEST(HistogramQuantile, KnowsTheAnswersOfPrometheus) {
  constexpr double kInf = HUGE_VAL;
  // Prometheus' own test, promql/testdata/histograms.test: testhistogram{start="positive"},
  // le .1: 5, .2: 7, 1e0: 11, +Inf: 12.
  const std::vector<CumulativeBucket> buckets{{kInf, 12}, {.1, 5}, {.2, 7}, {1, 11}};
  EXPECT_THAT(histogram_quantile(buckets, 0), Optional(DoubleEq(0)));
  EXPECT_THAT(histogram_quantile(buckets, 0.2), Optional(DoubleEq(0.048)));
  EXPECT_THAT(histogram_quantile(buckets, 0.5), Optional(DoubleEq(0.15)));
  EXPECT_THAT(histogram_quantile(buckets, 0.8), Optional(DoubleEq(0.72)));
  EXPECT_THAT(histogram_quantile(buckets, 1), Optional(DoubleEq(1)));  // beyond the last bound
}

TEST(HistogramQuantile, SaysNothingWithoutAnAnswer) {
  constexpr double kInf = HUGE_VAL;
  EXPECT_EQ(histogram_quantile({}, 0.5), std::nullopt);
  EXPECT_EQ(histogram_quantile({{kInf, 5}}, 0.5), std::nullopt);
  EXPECT_EQ(histogram_quantile({{1, 5}, {2, 5}}, 0.5), std::nullopt);
  EXPECT_EQ(histogram_quantile({{1, 0}, {kInf, 0}}, 0.5), std::nullopt);
  EXPECT_EQ(histogram_quantile({{1, std::nan("")}, {kInf, 1}}, 0.5), std::nullopt);
  EXPECT_EQ(histogram_quantile({{-1, 4}, {kInf, 4}}, 0.5), -1);
}

// Never falls with p, and is within the bounds.
RC_GTEST_PROP(HistogramQuantile, NeverFallsWithTheShare, ()) {
  const auto counts = *rc::gen::container<std::vector<unsigned>>(rc::gen::inRange(0U, 100U));
  std::vector<CumulativeBucket> buckets;
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sum += counts[i];
    const bool last = i + 1 == counts.size();
    buckets.push_back({last ? HUGE_VAL : static_cast<double>(i + 1), sum});
  }
  double before = 0;
  for (int i = 0; i <= 20; ++i) {
    const auto found = histogram_quantile(buckets, i / 20.0);
    RC_ASSERT(found.has_value() == (buckets.size() > 1 && sum > 0));
    if (!found) continue;
    RC_ASSERT(*found >= before);
    RC_ASSERT(*found <= static_cast<double>(buckets.size() - 1));
    before = *found;
  }
}

}  // namespace
}  // namespace artel::metrics
