#pragma once

#include <algorithm>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"

namespace artel::stat {

/// The average over time of a value that changes in steps: tasks queued, workers busy.
///
/// Cost:    O(1) per step, no memory; rounding only beyond 2^53 value · nanoseconds, if values are
///          whole.
/// Requires: time never goes back.
/// Threads: one thread at a time.
class TimeAverage {
 public:
  explicit TimeAverage(Instant start = {}, double value = 0)
      : since_(start), at_(start), value_(value), max_(value) {}

  /// From `now` on the value is `value`.
  [[gnu::always_inline]] void set(Instant now, double value) {
    ARTEL_REQUIRE(now >= at_, "time goes forward", to_seconds(now), to_seconds(at_));
    area_ += value_ * static_cast<double>((now - at_).count());
    at_ = now;
    value_ = value;
    max_ = std::max(max_, value);
  }
  /// set() to `delta` more than now.
  [[gnu::always_inline]] void add(Instant now, double delta) { set(now, value_ + delta); }

  /// Forgets everything before `now` except the current value: the end of the warm-up.
  void reset(Instant now) {
    set(now, value_);
    *this = TimeAverage(now, value_);
  }

  /// The value now.
  [[nodiscard]] double value() const { return value_; }
  /// The average from the start (or the last reset) to `now`; the current value if that is no time.
  [[nodiscard]] double mean(Instant now) const {
    ARTEL_REQUIRE(now >= at_, "time goes forward", to_seconds(now), to_seconds(at_));
    if (now == since_) return value_;
    const double area = area_ + value_ * static_cast<double>((now - at_).count());
    return area / static_cast<double>((now - since_).count());
  }
  /// The largest value so far, even if it was held for no time.
  [[nodiscard]] double max() const { return max_; }

 private:
  Instant since_;
  Instant at_;
  double area_ = 0;  ///< value · nanoseconds from since_ to at_
  double value_;
  double max_;
};

}  // namespace artel::stat
