#include "artel/logs/arrival_counts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::logs {
namespace {

constexpr std::size_t kWindowsMin = 256;  // of fewer nothing is told
constexpr std::size_t kLagsMax = 1000;    // in windows, to each side
constexpr double kSure = 7;               // standard deviations that chance does not make

std::int64_t floored(std::int64_t number, std::int64_t by) {
  return number >= 0 ? number / by : -((-number + by - 1) / by);
}

// What is left of counts without what changes slowly, with mean 0 and variance 1; empty: nothing.
std::vector<double> ripples(std::span<const std::uint32_t> counts) {
  constexpr std::size_t kAround = 64;  // windows to each side
  std::vector<double> sums(counts.size() + 1);
  for (std::size_t i = 0; i < counts.size(); ++i) sums[i + 1] = sums[i] + counts[i];
  std::vector<double> left(counts.size());
  double variance = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto from = i - std::min(i, kAround);
    const auto to = std::min(counts.size(), i + kAround + 1);
    left[i] = counts[i] - (sums[to] - sums[from]) / static_cast<double>(to - from);
    variance += left[i] * left[i];
  }
  if (variance <= 0) return {};
  const double scale = std::sqrt(static_cast<double>(counts.size()) / variance);
  for (auto& value : left) value *= scale;
  return left;
}

/// How alike two series are if the second is moved.
struct Peak {
  std::int64_t lag = 0;  // the second is that much later
  double height = 0;     // in standard deviations of what chance makes
};

// Requires: equally long.
Peak highest(const std::vector<double>& one, const std::vector<double>& other) {
  const auto size = static_cast<std::int64_t>(one.size());
  const auto most = static_cast<std::int64_t>(std::min(kLagsMax, one.size() / 4));
  Peak best;
  for (auto lag = -most; lag <= most; ++lag) {
    const auto from = std::max<std::int64_t>(0, -lag), to = std::min(size, size - lag);
    double sum = 0;
    for (auto i = from; i < to; ++i)
      sum += one[static_cast<std::size_t>(i)] * other[static_cast<std::size_t>(i + lag)];
    const double height = sum / std::sqrt(static_cast<double>(to - from));
    if (height > best.height) best = {lag, height};
  }
  return best;
}

}  // namespace

void ArrivalCounts::add(Instant at) {
  add(floored(at.time_since_epoch().count(), width_.count()), 1);
}

void ArrivalCounts::add(const ArrivalCounts& other) {
  auto theirs = other;
  while (theirs.width_ < width_) theirs.widen();
  while (width_ < theirs.width_) widen();
  for (std::size_t i = 0; i < theirs.counts_.size(); ++i) {
    if (theirs.counts_[i] == 0) continue;
    // Windows may grow meanwhile.
    const auto ratio = width_ / theirs.width_;
    add(floored(theirs.first_ + static_cast<std::int64_t>(i), ratio), theirs.counts_[i]);
  }
}

void ArrivalCounts::add(std::int64_t window, std::uint32_t tasks) {
  if (counts_.empty()) first_ = window;
  for (;;) {
    const auto low = std::min(first_, window);
    const auto high = std::max(first_ + static_cast<std::int64_t>(counts_.size()), window + 1);
    if (high - low <= static_cast<std::int64_t>(kWindowsMax)) break;
    widen();
    window = floored(window, 2);
  }
  if (window < first_) {
    counts_.insert(counts_.begin(), static_cast<std::size_t>(first_ - window), 0);
    first_ = window;
  }
  const auto place = static_cast<std::size_t>(window - first_);
  if (place >= counts_.size()) counts_.resize(place + 1);
  counts_[place] += tasks;
}

void ArrivalCounts::widen() {
  const auto first = floored(first_, 2);
  std::vector<std::uint32_t> wider((counts_.size() + 2) / 2 + 1);
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const auto window = floored(first_ + static_cast<std::int64_t>(i), 2);
    wider[static_cast<std::size_t>(window - first)] += counts_[i];
  }
  while (!wider.empty() && wider.back() == 0) wider.pop_back();
  counts_ = std::move(wider);
  first_ = first;
  width_ *= 2;
}

std::optional<ClockSkew> ArrivalCounts::skew_of(const ArrivalCounts& other) const {
  auto ours = *this;
  auto theirs = other;
  while (theirs.width_ < ours.width_) theirs.widen();
  while (ours.width_ < theirs.width_) ours.widen();
  for (;; ours.widen(), theirs.widen()) {
    // Windows at the ends are not full: in both at once, which looks alike.
    const auto end_of = [](const ArrivalCounts& all) {
      return all.first_ + static_cast<std::int64_t>(all.counts_.size());
    };
    const auto from = std::max(ours.first_, theirs.first_) + 1;
    const auto to = std::min(end_of(ours), end_of(theirs)) - 1;
    if (to - from < static_cast<std::int64_t>(kWindowsMin)) return std::nullopt;
    const auto cut = [&](const ArrivalCounts& all) {
      return ripples(std::span(all.counts_)
                         .subspan(static_cast<std::size_t>(from - all.first_),
                                  static_cast<std::size_t>(to - from)));
    };
    const auto one = cut(ours), two = cut(theirs);
    if (one.empty() || two.empty()) continue;
    const auto peak = highest(one, two);
    if (peak.height >= kSure) return ClockSkew{peak.lag * ours.width_, ours.width_};
  }
}

}  // namespace artel::logs
