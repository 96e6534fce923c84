#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace artel::stat {

/// Counts of whole numbers (usually nanoseconds) in buckets whose width grows with the value.
///
/// With b precision bits a bucket is at most 2^-(b+1) of its values wide, and values below 2^(b+2)
/// have a bucket of their own. So each quantile is within a factor 1 ± 2^-(b+1) of the exact one
/// (b = 7: 0.4 %, b = 10: 0.05 %); count, mean, min and max are exact.
/// Cost:    record is O(1), about two nanoseconds; it allocates when a value first reaches a power
///          of two, 2^(b+4) bytes per power of two up to the largest value (b = 7, up to an hour in
///          ns: 72 KB). Quantiles and tails walk the buckets.
/// Requires: 5 <= precision bits <= 14; fewer than 2^64 values.
/// Threads: one thread at a time; record separately and merge.
/// Source:  G. Tene, HdrHistogram.
class Histogram {
 public:
  /// What one bucket counts: values from low to high, inclusive, and the count of them.
  struct Bucket {
    std::uint64_t low;
    std::uint64_t high;
    std::uint64_t count;
  };

  /// All that is in a histogram, for files: equal parts, equal histograms.
  struct Parts {
    unsigned precision_bits = 7;  ///< the histogram's precision
    std::uint64_t min = 0;        ///< of the values; 0 of none
    std::uint64_t max = 0;        ///< of the values; 0 of none
    std::uint64_t sum_high = 0;   ///< of the 128 bits of the sum of all values
    std::uint64_t sum_low = 0;    ///< the lower half of it
    /// Number (from 0, by value) and count of every bucket that is not empty, ascending.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> buckets;
  };

  /// Allowed: kPrecisionBitsMin to kPrecisionBitsMax.
  static constexpr unsigned kPrecisionBitsMin = 5;
  static constexpr unsigned kPrecisionBitsMax = 14;

  explicit Histogram(unsigned precision_bits = 7);

  void record(std::uint64_t value) { record(value, 1); }

  /// As if `value` had been recorded `count` times.
  void record(std::uint64_t value, std::uint64_t count) {
    if (count == 0) return;
    const std::size_t bucket = bucket_of(value);
    if (bucket >= counts_.size()) [[unlikely]]
      grow(bucket);
    counts_[bucket] += count;
    count_ += count;
    sum_ += Wide{value} * count;
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
  }

  /// As if everything in `other` had been recorded here. Requires: it is at least as precise.
  void merge(const Histogram& other);

  /// Forgets the values, keeps the memory.
  void clear();

  /// As given: a value is known to one part in 2^precision_bits.
  [[nodiscard]] unsigned precision_bits() const { return sub_bits_ - 1; }
  /// Values recorded.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  /// 0 when empty.
  [[nodiscard]] std::uint64_t min() const { return empty() ? 0 : min_; }
  /// 0 when empty.
  [[nodiscard]] std::uint64_t max() const { return max_; }
  /// NaN when empty.
  [[nodiscard]] double mean() const;

  /// The value of rank max(1, ceil(p · count)) in sorted order, where the values of one bucket
  /// count as evenly spread over it; within [min, max], never decreasing in p. Requires: 0 <= p
  /// <= 1. NaN when empty.
  [[nodiscard]] double quantile(double p) const;

  /// The share of values > x, where those of one bucket count as evenly spread over it. Exact when
  /// x is the upper end of a bucket. NaN when empty.
  [[nodiscard]] double tail(double x) const;

  /// All that is in it, for of().
  [[nodiscard]] Parts parts() const;
  /// The histogram that has these parts; nullopt when no histogram has.
  [[nodiscard]] static std::optional<Histogram> of(const Parts& parts);

  /// Calls visit(Bucket) for every bucket that is not empty, in increasing order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] > 0) visit(Bucket{low_of(i), high_of(i), counts_[i]});
    }
  }

 private:
  __extension__ using Wide = unsigned __int128;

  // Values with the same highest bit e share the width 2^(e - sub_bits_) and take 2^sub_bits_
  // buckets; below 2^(sub_bits_ + 1) the width is 1 and the bucket is the value. bucket_of has no
  // branch: setting bit sub_bits_ makes shift 0 for all small values. The term `value >> shift`
  // still has its highest bit, 2^sub_bits_, which is why the octave of a bucket is one more than
  // its shift, but for the first.
  [[nodiscard]] std::size_t bucket_of(std::uint64_t value) const {
    const auto highest_bit = static_cast<unsigned>(std::bit_width(value | sub_mask())) - 1;
    const unsigned shift = highest_bit - sub_bits_;
    return (std::size_t{shift} << sub_bits_) + static_cast<std::size_t>(value >> shift);
  }
  [[nodiscard]] unsigned shift_of(std::size_t bucket) const {
    const std::size_t octave = bucket >> sub_bits_;
    return octave == 0 ? 0 : static_cast<unsigned>(octave - 1);
  }
  [[nodiscard]] std::uint64_t low_of(std::size_t bucket) const {
    const unsigned shift = shift_of(bucket);
    return (std::uint64_t{bucket} - (std::uint64_t{shift} << sub_bits_)) << shift;
  }
  [[nodiscard]] std::uint64_t high_of(std::size_t bucket) const {
    return low_of(bucket) + ((std::uint64_t{1} << shift_of(bucket)) - 1);
  }
  [[nodiscard]] std::uint64_t sub_mask() const { return std::uint64_t{1} << sub_bits_; }
  void grow(std::size_t bucket);

  std::vector<std::uint64_t> counts_;  ///< whole powers of two, up to the largest value seen
  unsigned sub_bits_;
  std::uint64_t count_ = 0;
  Wide sum_ = 0;  // 64 bits would overflow at 584 years of times added up
  std::uint64_t min_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t max_ = 0;
};

}  // namespace artel::stat
