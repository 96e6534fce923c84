#pragma once

#include <span>

namespace artel::stat {

class Histogram;

/// A value and how far the truth may be from it: the truth lies in [low, high] with probability
/// `level` (0.99: in 99 of 100 such experiments).
struct Interval {
  double center;
  double half_width;
  double level;

  [[nodiscard]] double low() const { return center - half_width; }
  [[nodiscard]] double high() const { return center + half_width; }
  [[nodiscard]] bool contains(double x) const { return low() <= x && x <= high(); }
  /// Half width as a share of the centre's size; NaN when both are 0.
  [[nodiscard]] double relative() const;
};

/// Student's interval for the mean of independent replications, one number each.
///
/// The numbers may be any statistic of a replication (its mean, its p99, its utilisation); the
/// interval is for the mean of that statistic, and exact when it is normally distributed.
/// Requires: 0 < level < 1. One number: half_width is infinite. None: center is NaN as well.
[[nodiscard]] Interval mean_interval(std::span<const double> replications, double level);

/// Student's interval for the p-quantile, from one histogram per independent replication.
///
/// The centre is the mean of the replications' own quantiles: keep replications long enough for
/// (1 - p) · count to be large, or its bias shows. Empty histograms are left out.
/// Requires: 0 <= p <= 1, 0 < level < 1; one and none as for mean_interval.
[[nodiscard]] Interval quantile_interval(std::span<const Histogram> replications, double p,
                                         double level);

/// Bounds for a quantile that need not be symmetric.
struct OrderInterval {
  double estimate;  ///< the sample's own quantile, of rank max(1, ceil(p · n))
  double low;
  double high;
  double level;  ///< the probability of covering the truth, at least what was asked for

  [[nodiscard]] bool contains(double x) const { return low <= x && x <= high; }
};

/// An interval for the p-quantile of one sample of independent values from any distribution.
///
/// The bounds are two of the values: those of the ranks between which the binomial(n, p) number of
/// values at or below the true quantile falls, with at most (1 - level) / 2 on each side.
/// Cost:    O(n) to check the order, O(log n) incomplete beta functions.
/// Requires: `sorted` ascending, 0 <= p <= 1, 0 < level < 1. Where n is too small for a bound it is
///          infinite (p99 at level 0.99 needs n >= 528 for `high`); none: estimate is NaN.
/// Source:  H. A. David, H. N. Nagaraja, Order Statistics, 7.1.
[[nodiscard]] OrderInterval order_interval(std::span<const double> sorted, double p, double level);

}  // namespace artel::stat
