#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "artel/metrics/metrics_page.hpp"

namespace artel::metrics {

/// How a counter grew between two looks: one that is smaller than before began anew at 0.
[[nodiscard]] double counter_growth(double before, double now);

/// Two looks at one program, and the time in between. Threads: safe from any.
/// Cost: O(log of the page) for each sample of that name.
class PageChange {
 public:
  /// The pages must outlive it. Requires: seconds > 0.
  PageChange(const MetricsPage& before, const MetricsPage& now, double seconds)
      : before_(before), now_(now), seconds_(seconds) {}

  /// How much the counter grew, all those together that have these labels (and maybe others).
  /// Nothing: none was there both times, or one is not a number.
  [[nodiscard]] std::optional<double> growth(std::string_view name, const Labels& with = {}) const;
  /// The same per second.
  [[nodiscard]] std::optional<double> rate(std::string_view name, const Labels& with = {}) const;
  /// The quantile of what a histogram has seen in between: `family` is its name without _bucket.
  /// Nothing: no such histogram, or nothing was seen.
  [[nodiscard]] std::optional<double> quantile(double p, std::string_view family,
                                               const Labels& with = {}) const;

 private:
  const MetricsPage& before_;
  const MetricsPage& now_;
  double seconds_;
};

/// So many values were at most that large: what a histogram's le says.
struct CumulativeBucket {
  double at_most = 0;  ///< +Inf in the last one
  double count = 0;    ///< of them and of all smaller ones
};

/// The quantile of a histogram, taking values as evenly spread over their bucket, the lowest one
/// from 0 on; beyond the last bound it is that bound. Buckets may be in any order. Nothing: they
/// are empty, there is none up to +Inf, or it is the only one.
/// Requires: 0 <= p <= 1.
/// Source:   Prometheus documentation, Query functions: histogram_quantile.
[[nodiscard]] std::optional<double> histogram_quantile(std::vector<CumulativeBucket> buckets,
                                                       double p);

}  // namespace artel::metrics
