#pragma once

#include <array>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/batch_series.hpp"
#include "artel/fleet/replication_options.hpp"
#include "artel/own_models/model_parameters.hpp"
#include "artel/stat/histogram.hpp"

namespace artel::sim {
class Statistics;
}

namespace artel::own_models {

/// One replication that a model of the user's own is asked for.
struct ModelRun {
  ModelParameters parameters;
  Seed seed{1};               ///< of all that is random in it
  Duration warm_up{};         ///< what comes before does not count
  std::stop_token stop = {};  ///< a model that takes minutes may look at it and return early
};

/// The percentiles that a figure of times has, by the end of its name.
inline constexpr std::array<std::pair<std::string_view, double>, 3> kReportedQuantiles{
    {{".p50", 0.5}, {".p90", 0.9}, {".p99", 0.99}}};

/// How long something took, many times: response times of requests.
///
/// Cost: some ten ns each; memory independent of how many there are. Threads: one at a time.
class ObservedTimes {
 public:
  explicit ObservedTimes(Duration warm_up = {}) : warm_up_end_(Instant{} + warm_up) {}

  /// Something that took `time`, a negative one none, has ended at `now`; within the warm-up it
  /// does not count.
  void add(Duration time, Instant now);

  /// Of those that count, in nanoseconds.
  [[nodiscard]] const stat::Histogram& counted() const { return counted_; }
  /// When the mean has settled, by MSER-5 over all times in order.
  [[nodiscard]] Duration settled_after() const;

 private:
  Instant warm_up_end_;
  stat::Histogram counted_{fleet::kHistogramBits};
  fleet::BatchSeries series_;    ///< all, in seconds
  fleet::BatchSeries instants_;  ///< of the same, in seconds
};

/// What a model of one's own measured in one replication, by name. Threads: one at a time.
///
///     ModelReport report(run);
///     auto& response = report.times("response");   // response.mean, response.p99, …
///     … response.add(now - begin, now) …
///     report.set("utilisation", busy / total);
///     return report;
///
/// Cost: times() O(log of the names), set() O(the numbers so far).
class ModelReport {
 public:
  ModelReport() = default;
  /// Leaves out what `run` does not count.
  explicit ModelReport(const ModelRun& run) : warm_up_(run.warm_up) {}

  /// Times of that name, made at first use; the reference stays valid as long as the report. They
  /// give the figures name.mean, .p50, .p90, .p99, .max in seconds (NaN without any) and .count.
  [[nodiscard]] ObservedTimes& times(std::string_view name);
  /// One number.
  void set(std::string_view figure, double value);
  /// The mean of each figure of a simulation, and name.count of each tally.
  void add(const sim::Statistics& statistics);

  /// All of it, in the order of the names of times, then in that of set().
  [[nodiscard]] std::vector<std::pair<std::string, double>> figures() const;
  [[nodiscard]] const std::map<std::string, ObservedTimes, std::less<>>& all_times() const {
    return times_;
  }

 private:
  Duration warm_up_{};
  std::map<std::string, ObservedTimes, std::less<>> times_;
  std::vector<std::pair<std::string, double>> numbers_;
};

/// A model of the user's own: a function of the run alone. Called from several threads at once; an
/// exception of it ends the experiment as an error.
using Model = std::function<ModelReport(const ModelRun&)>;

}  // namespace artel::own_models
