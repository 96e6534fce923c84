#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace artel::stat {

/// Mean, variance and extremes of numbers seen one at a time, without keeping them. Of none, mean
/// and variance are NaN, min is +infinity and max -infinity; of one, the variance is NaN.
///
/// Cost:    O(1) per number, one division.
/// Threads: one thread at a time; count separately and merge.
/// Source:  B. P. Welford (1962); merging after T. Chan, G. Golub, R. LeVeque (1979).
class Moments {
 public:
  /// Sees one more number.
  void add(double value) {
    ++count_;
    const double offset = value - mean_;
    mean_ += offset / static_cast<double>(count_);
    squares_ += offset * (value - mean_);
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
  }

  /// As if every number of `other` had been added here.
  void merge(const Moments& other) {
    if (other.count_ == 0) return;
    const auto mine = static_cast<double>(count_);
    const auto theirs = static_cast<double>(other.count_);
    const double offset = other.mean_ - mean_;
    count_ += other.count_;
    mean_ += offset * (theirs / (mine + theirs));
    squares_ += other.squares_ + offset * offset * (mine * theirs / (mine + theirs));
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
  }

  /// Numbers seen.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double mean() const { return count_ > 0 ? mean_ : kNone; }
  /// Unbiased: divided by count - 1.
  [[nodiscard]] double variance() const {
    return count_ > 1 ? squares_ / static_cast<double>(count_ - 1) : kNone;
  }
  /// The square root of variance(). min() and max() are the extremes; mean(), see above.
  [[nodiscard]] double stddev() const { return std::sqrt(variance()); }
  [[nodiscard]] double min() const { return min_; }
  [[nodiscard]] double max() const { return max_; }

 private:
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  ///< sum of squared distances from the mean
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
};

}  // namespace artel::stat
