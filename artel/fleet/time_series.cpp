#include "artel/fleet/time_series.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"

namespace artel::fleet {

TimeSeries::TimeSeries(std::size_t buckets_max) : area_(buckets_max), peak_(buckets_max) {
  ARTEL_REQUIRE(buckets_max > 0 && buckets_max % 2 == 0, "neighbours merge in pairs", buckets_max);
}

void TimeSeries::add(Instant now, double change) {
  advance(now);
  value_ += change;
}

void TimeSeries::advance(Instant now) {
  ARTEL_REQUIRE(now >= at_, "time goes forward", to_seconds(now), to_seconds(at_));
  if (now == at_) return;
  while (bucket_of(now) >= area_.size()) merge_neighbours();
  for (auto b = bucket_of(at_); at_ < now; ++b) {
    const auto end = std::min(now, Instant{static_cast<std::int64_t>(b + 1) * bucket_});
    area_[b] += value_ * static_cast<double>((end - at_).count());
    peak_[b] = std::max(peak_[b], value_);
    at_ = end;
  }
}

std::size_t TimeSeries::bucket_of(Instant time) const {
  return static_cast<std::size_t>(time.time_since_epoch() / bucket_);
}

std::size_t TimeSeries::used() const {
  if (at_ == Instant{}) return 0;
  return bucket_of(at_ - Duration{1}) + 1;
}

void TimeSeries::merge_neighbours() {
  const auto half = area_.size() / 2;
  for (std::size_t b = 0; b < half; ++b) {
    area_[b] = area_[2 * b] + area_[2 * b + 1];
    peak_[b] = std::max(peak_[2 * b], peak_[2 * b + 1]);
  }
  std::fill(area_.begin() + static_cast<std::ptrdiff_t>(half), area_.end(), 0);
  std::fill(peak_.begin() + static_cast<std::ptrdiff_t>(half), peak_.end(), 0);
  bucket_ *= 2;
}

std::vector<double> TimeSeries::means() const {
  std::vector<double> means(used());
  for (std::size_t b = 0; b < means.size(); ++b) {
    const auto start = Instant{static_cast<std::int64_t>(b) * bucket_};
    means[b] = area_[b] / static_cast<double>(std::min(bucket_, at_ - start).count());
  }
  return means;
}

std::vector<double> TimeSeries::peaks() const {
  return {peak_.begin(), peak_.begin() + static_cast<std::ptrdiff_t>(used())};
}

}  // namespace artel::fleet
