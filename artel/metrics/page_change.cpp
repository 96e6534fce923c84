#include "artel/metrics/page_change.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/parse_number.hpp"
#include "artel/core/require.hpp"
#include "artel/metrics/metrics_page.hpp"

namespace artel::metrics {
namespace {

bool has(const MetricSample& sample, const Labels& wanted) {
  return std::ranges::all_of(
      wanted, [&](const auto& label) { return sample.label(label.first) == label.second; });
}

}  // namespace

double counter_growth(double before, double now) { return now < before ? now : now - before; }

std::optional<double> PageChange::growth(std::string_view name, const Labels& with) const {
  std::optional<double> sum;
  for (const auto& sample : now_.named(name)) {
    if (!has(sample, with)) continue;
    const auto* const earlier = before_.find(name, sample.labels);
    if (earlier == nullptr) continue;
    const double grown = counter_growth(earlier->value, sample.value);
    if (!std::isfinite(grown)) return std::nullopt;
    sum = sum.value_or(0) + grown;
  }
  return sum;
}

std::optional<double> PageChange::rate(std::string_view name, const Labels& with) const {
  const auto grown = growth(name, with);
  return grown ? std::optional(*grown / seconds_) : std::nullopt;
}

std::optional<double> PageChange::quantile(double p, std::string_view family,
                                           const Labels& with) const {
  const std::string name = std::string(family) + "_bucket";
  std::map<double, double> sums;  // of several histograms together
  for (const auto& sample : now_.named(name)) {
    const auto* const earlier = before_.find(name, sample.labels);
    auto bound = sample.label("le");
    if (bound.starts_with('+')) bound.remove_prefix(1);
    const auto at_most = parse_number<double>(bound);
    if (!has(sample, with) || earlier == nullptr || !at_most || std::isnan(*at_most)) continue;
    sums[*at_most] += counter_growth(earlier->value, sample.value);
  }
  std::vector<CumulativeBucket> buckets;
  for (const auto& [at_most, count] : sums) buckets.push_back({at_most, count});
  return histogram_quantile(std::move(buckets), p);
}

std::optional<double> histogram_quantile(std::vector<CumulativeBucket> buckets, double p) {
  ARTEL_REQUIRE(p >= 0 && p <= 1, "a quantile is between 0 and 1", p);
  std::ranges::sort(buckets, {}, &CumulativeBucket::at_most);
  if (buckets.size() < 2 || buckets.back().at_most != HUGE_VAL) return std::nullopt;
  double most = 0;  // counts that fall, as of scrapes in between, are those before them
  for (auto& bucket : buckets) {
    if (!std::isfinite(bucket.count)) return std::nullopt;
    most = bucket.count = std::max(most, bucket.count);
  }
  if (most <= 0) return std::nullopt;
  const double rank = p * most;
  const auto found = std::ranges::find_if(
      buckets, [&](const auto& bucket) { return bucket.count >= rank && bucket.count > 0; });
  const auto at = static_cast<std::size_t>(found - buckets.begin());
  if (at + 1 == buckets.size()) return buckets[at - 1].at_most;
  const double high = buckets[at].at_most;
  if (at == 0 && high <= 0) return high;
  const double low = at == 0 ? 0 : buckets[at - 1].at_most;
  const double below = at == 0 ? 0 : buckets[at - 1].count;
  return low + (high - low) * (rank - below) / (buckets[at].count - below);
}

}  // namespace artel::metrics
