#pragma once

#include <cstddef>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::fleet {

/// How a value that changes in steps went over time (tasks queued, workers busy): its average and
/// its peak in equal buckets, of which there are never more than asked for. When time runs out of
/// buckets, neighbours are merged and every bucket is twice as long.
///
/// Cost:    O(1) per step, amortised over time; memory O(buckets), whatever the length of the run.
/// Requires: the first bucket begins at time 0, time never goes back; an even number of buckets.
/// Threads: one at a time.
class TimeSeries {
 public:
  explicit TimeSeries(std::size_t buckets_max);

  /// The value changes by so much at `now`.
  void add(Instant now, double change);
  /// The value holds until `now`.
  void advance(Instant now);

  /// The value now.
  [[nodiscard]] double value() const { return value_; }
  /// How long a bucket is.
  [[nodiscard]] Duration bucket() const { return bucket_; }
  /// Averages of the buckets up to the last step, the last bucket over the part that is past.
  [[nodiscard]] std::vector<double> means() const;
  /// The largest value in each bucket that was held for any time.
  [[nodiscard]] std::vector<double> peaks() const;

 private:
  [[nodiscard]] std::size_t bucket_of(Instant time) const;
  [[nodiscard]] std::size_t used() const;
  void merge_neighbours();

  std::vector<double> area_;  ///< value · nanoseconds
  std::vector<double> peak_;
  Duration bucket_{1};
  Instant at_{};
  double value_ = 0;
};

}  // namespace artel::fleet
