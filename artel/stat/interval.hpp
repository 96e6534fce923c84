#pragma once

#include <span>

namespace artel::stat {

/// A value and how far the truth may be from it: the truth lies in [low, high] with probability
/// `level` (0.99: in 99 of 100 such experiments).
struct Interval {
  double center;      ///< the estimate
  double half_width;  ///< how far `low` and `high` are from it; infinite: nothing is known
  double level;

  /// The ends: low(), high(). With a NaN in it nothing is contained: contains() is false.
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

}  // namespace artel::stat
