#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::metrics {

/// Names and values, in order of names.
using Labels = std::vector<std::pair<std::string, std::string>>;

/// One number of a page, with its name and labels: `jobs_total{pool="films"} 12`.
struct MetricSample {
  std::string name;
  Labels labels;
  double value = 0;  ///< may be NaN or infinite: the format allows it

  /// Empty: it has no such label.
  [[nodiscard]] std::string_view label(std::string_view of) const;
};

/// What a program serves for Prometheus, at one moment.
class MetricsPage {
 public:
  MetricsPage() = default;
  /// Of two samples with one name and the same labels the last one counts.
  explicit MetricsPage(std::vector<MetricSample> samples);

  /// All, in order of names, then of labels.
  [[nodiscard]] std::span<const MetricSample> samples() const { return samples_; }
  /// Those of that name. Cost: O(log n).
  [[nodiscard]] std::span<const MetricSample> named(std::string_view name) const;
  /// The one with just these labels; nullptr: there is none. Cost: O(log n).
  [[nodiscard]] const MetricSample* find(std::string_view name, const Labels& labels) const;

 private:
  std::vector<MetricSample> samples_;
};

/// A page as it was read.
struct PageReading {
  MetricsPage page;
  std::uint64_t bad = 0;             ///< lines that are written otherwise, and were passed over
  std::optional<Error> first_bad{};  ///< the first of them, "name:line"
};

/// More is not read: of one page, and of the labels of one sample.
inline constexpr std::size_t kSamplesMax = 200'000;
inline constexpr std::size_t kLabelsMax = 64;  ///< of one sample

/// Reads the text format of Prometheus (0.0.4), and of OpenMetrics what they share: comments, times
/// and exemplars are passed over. `name` is for messages. Never fails: what cannot be read is
/// counted.
/// Cost:   O(n log n) of the samples.
/// Source: Prometheus documentation, Exposition formats.
[[nodiscard]] PageReading read_metrics_page(std::string_view text, const std::string& name);

}  // namespace artel::metrics
