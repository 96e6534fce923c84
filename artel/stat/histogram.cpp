#include "artel/stat/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "artel/core/covering.hpp"
#include "artel/core/require.hpp"

namespace artel::stat {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Histogram::Histogram(unsigned precision_bits) : sub_bits_(precision_bits + 1) {
  ARTEL_REQUIRE(precision_bits >= kPrecisionBitsMin && precision_bits <= kPrecisionBitsMax,
                "histogram precision out of range", precision_bits);
}

// By whole powers of two, so that a growing maximum allocates once per power of two.
void Histogram::grow(std::size_t bucket) {
  counts_.resize(((bucket >> sub_bits_) + 1) << sub_bits_);
}

void Histogram::merge(const Histogram& other) {
  ARTEL_REQUIRE(sub_bits_ <= other.sub_bits_, "a histogram takes one that is at least as precise",
                precision_bits(), other.precision_bits());
  if (sub_bits_ == other.sub_bits_) {
    if (counts_.size() < other.counts_.size()) counts_.resize(other.counts_.size());
    for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
  } else {
    if (!other.empty() && bucket_of(other.max_) >= counts_.size()) grow(bucket_of(other.max_));
    // Its buckets lie within ours.
    other.for_each(
        [this](const Bucket& bucket) { counts_[bucket_of(bucket.low)] += bucket.count; });
  }
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

void Histogram::clear() {
  std::fill(counts_.begin(), counts_.end(), 0);
  count_ = 0;
  sum_ = 0;
  min_ = std::numeric_limits<std::uint64_t>::max();
  max_ = 0;
}

double Histogram::mean() const {
  return empty() ? kNone : static_cast<double>(sum_) / static_cast<double>(count_);
}

double Histogram::quantile(double p) const {
  if (empty()) return kNone;
  const std::uint64_t rank = covering(p, count_);
  // The extremes are known exactly, whatever the width of their buckets.
  if (rank == 1) return static_cast<double>(min_);
  if (rank == count_) return static_cast<double>(max_);
  std::uint64_t before = 0;
  std::size_t bucket = 0;
  while (before + counts_[bucket] < rank) before += counts_[bucket++];

  // Value k of n in a bucket of w whole numbers stands in the middle of the k-th of n equal parts.
  const auto low = static_cast<double>(low_of(bucket));
  const auto high = static_cast<double>(high_of(bucket));
  const double share =
      (static_cast<double>(rank - before) - 0.5) / static_cast<double>(counts_[bucket]);
  const double value = low - 0.5 + share * (high - low + 1);
  return std::clamp(std::clamp(value, low, high), static_cast<double>(min_),
                    static_cast<double>(max_));
}

// What lies in higher buckets, and of the bucket of x the whole numbers above x: high - floor(x) of
// its high - low + 1.
double Histogram::tail(double x) const {
  if (empty()) return kNone;
  if (x < static_cast<double>(min_)) return 1;
  if (x >= static_cast<double>(max_)) return 0;
  const std::size_t bucket = bucket_of(static_cast<std::uint64_t>(x));
  std::uint64_t above = 0;
  for (std::size_t i = bucket + 1; i < counts_.size(); ++i) above += counts_[i];
  const auto low = static_cast<double>(low_of(bucket));
  const auto high = static_cast<double>(high_of(bucket));
  const double share = (high - std::floor(x)) / (high - low + 1);
  return (static_cast<double>(above) + share * static_cast<double>(counts_[bucket])) /
         static_cast<double>(count_);
}

Histogram::Parts Histogram::parts() const {
  Parts parts{.precision_bits = precision_bits(),
              .min = min(),
              .max = max(),
              .sum_high = static_cast<std::uint64_t>(sum_ >> 64U),
              .sum_low = static_cast<std::uint64_t>(sum_)};
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] > 0) parts.buckets.emplace_back(i, counts_[i]);
  }
  return parts;
}

// Parts come from files, so nothing of them is believed: buckets must ascend and exist, counts must
// not overflow, the extremes must lie in the outermost buckets, and the sum must be one that values
// in these buckets can have.
std::optional<Histogram> Histogram::of(const Parts& parts) {
  if (parts.precision_bits < kPrecisionBitsMin || parts.precision_bits > kPrecisionBitsMax)
    return std::nullopt;
  Histogram histogram(parts.precision_bits);
  const std::size_t end = histogram.bucket_of(std::numeric_limits<std::uint64_t>::max()) + 1;
  std::size_t next = 0;
  Wide least = 0;  // that the values can sum up to
  Wide most = 0;
  for (const auto& [bucket, count] : parts.buckets) {
    if (bucket < next || bucket >= end || count == 0) return std::nullopt;
    if (__builtin_add_overflow(histogram.count_, count, &histogram.count_)) return std::nullopt;
    next = bucket + 1;
    if (bucket >= histogram.counts_.size()) histogram.grow(bucket);
    histogram.counts_[bucket] = count;
    least += Wide{histogram.low_of(bucket)} * count;
    most += Wide{histogram.high_of(bucket)} * count;
  }
  histogram.sum_ = (Wide{parts.sum_high} << 64U) | parts.sum_low;
  if (histogram.sum_ < least || histogram.sum_ > most) return std::nullopt;
  if (histogram.empty()) {
    if (parts.min != 0 || parts.max != 0) return std::nullopt;
    return histogram;
  }
  if (histogram.bucket_of(parts.min) != parts.buckets.front().first ||
      histogram.bucket_of(parts.max) != parts.buckets.back().first || parts.min > parts.max)
    return std::nullopt;
  histogram.min_ = parts.min;
  histogram.max_ = parts.max;
  return histogram;
}

}  // namespace artel::stat
