#include "artel/stat/interval.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <ranges>
#include <span>
#include <vector>

#include "artel/core/require.hpp"
#include "artel/stat/detail/quantile_rank.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/stat/moments.hpp"

namespace artel::stat {
namespace {

namespace math = boost::math;

/// Plain doubles, so that every compiler gives the same number.
using Plain = math::policies::policy<math::policies::promote_double<false>>;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void require_level(double level) {
  ARTEL_REQUIRE(level > 0 && level < 1, "a confidence level is a probability", level);
}

}  // namespace

double Interval::relative() const { return half_width / std::abs(center); }

Interval mean_interval(std::span<const double> replications, double level) {
  require_level(level);
  Moments moments;
  for (const double value : replications) moments.add(value);
  const auto count = static_cast<double>(moments.count());
  if (count < 2) return {moments.mean(), kInfinity, level};
  const math::students_t_distribution<double, Plain> student(count - 1);
  const double t = math::quantile(math::complement(student, (1 - level) / 2));
  return {moments.mean(), t * moments.stddev() / std::sqrt(count), level};
}

Interval quantile_interval(std::span<const Histogram> replications, double p, double level) {
  std::vector<double> quantiles;
  for (const Histogram& replication : replications) {
    if (!replication.empty()) quantiles.push_back(replication.quantile(p));
  }
  return mean_interval(quantiles, level);
}

OrderInterval order_interval(std::span<const double> sorted, double p, double level) {
  require_level(level);
  ARTEL_REQUIRE(p >= 0 && p <= 1, "a quantile needs a probability", p);
  ARTEL_REQUIRE(std::ranges::is_sorted(sorted), "the sample must be sorted", sorted.size());
  const std::size_t count = sorted.size();
  if (count == 0) return {kNone, -kInfinity, kInfinity, 1};

  // With B = number of values at or below the true quantile ~ binomial(count, p): the value of rank
  // r is above the truth when B < r, and below it when B >= r.
  const math::binomial_distribution<double, Plain> at_or_below(static_cast<double>(count), p);
  const auto above = [&](std::size_t rank) {
    return math::cdf(at_or_below, static_cast<double>(rank - 1));
  };
  const auto below = [&](std::size_t rank) {
    return math::cdf(math::complement(at_or_below, static_cast<double>(rank - 1)));
  };
  const double risk = (1 - level) / 2;
  const auto ranks = std::views::iota(std::size_t{1}, count + 1);
  const auto safe_low =
      std::ranges::partition_point(ranks, [&](std::size_t rank) { return above(rank) <= risk; });
  const auto safe_high =
      std::ranges::partition_point(ranks, [&](std::size_t rank) { return below(rank) > risk; });

  OrderInterval result{sorted[detail::quantile_rank(p, count) - 1], -kInfinity, kInfinity, 1};
  if (safe_low != ranks.begin()) {
    const std::size_t rank = *std::ranges::prev(safe_low);
    result.low = sorted[rank - 1];
    result.level -= above(rank);
  }
  if (safe_high != ranks.end()) {
    result.high = sorted[*safe_high - 1];
    result.level -= below(*safe_high);
  }
  return result;
}

}  // namespace artel::stat
