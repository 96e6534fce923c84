#include "artel/stat/replicated_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "artel/stat/histogram.hpp"
#include "artel/stat/interval.hpp"

namespace artel::stat {

std::optional<ReplicatedHistogram> ReplicatedHistogram::of(Histogram all,
                                                           std::vector<Histogram> groups) {
  if (groups.size() > kGroupsMax) return std::nullopt;
  std::uint64_t count = 0;
  for (const auto& group : groups) {
    if (group.precision_bits() != kGroupBits) return std::nullopt;
    count += group.count();
  }
  if (count != all.count()) return std::nullopt;
  ReplicatedHistogram made(all.precision_bits());
  made.all_ = std::move(all);
  made.groups_ = std::move(groups);
  return made;
}

void ReplicatedHistogram::add(std::size_t replication, const Histogram& values) {
  all_.merge(values);
  const std::size_t group = replication % kGroupsMax;
  if (group >= groups_.size()) groups_.resize(group + 1, Histogram(kGroupBits));
  groups_[group].merge(values);
}

// Student's interval for the share of all values that lie above x: a ratio of two sums over groups.
// Residuals are what groups have more than if all had the same share.
double ReplicatedHistogram::share_off(double x, double level) const {
  const auto count = static_cast<double>(all_.count());
  double above = 0;
  for (const auto& group : groups_) {
    if (!group.empty()) above += group.tail(x) * static_cast<double>(group.count());
  }
  std::vector<double> residuals;
  for (const auto& group : groups_) {
    if (group.empty()) continue;
    residuals.push_back((group.tail(x) - above / count) * static_cast<double>(group.count()));
  }
  return mean_interval(residuals, level).half_width * static_cast<double>(residuals.size()) / count;
}

Interval ReplicatedHistogram::quantile(double p, double level) const {
  const double center = all_.quantile(p);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (std::isnan(center)) return {center, kInfinity, level};
  // Many values may equal the quantile, and none be above: those count, too.
  const double below = center / (1 + std::ldexp(1, -int{kGroupBits} - 1)) - 1;
  const double off = std::max(share_off(center, level), share_off(below, level));
  if (!(p + off <= 1)) return {center, kInfinity, level};
  const double low = all_.quantile(std::max(p - off, 0.0));
  const double high = all_.quantile(p + off);
  return {center, std::max(center - low, high - center), level};
}

}  // namespace artel::stat
