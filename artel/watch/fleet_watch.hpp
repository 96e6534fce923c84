#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/watch/watch_report.hpp"

namespace artel::watch {

/// What a FleetWatch is asked.
struct WatchOptions {
  std::vector<std::string> slo;            ///< "p99<300ms": as of `artel plan`
  std::string policy;                      ///< empty: the source's own, or one common queue
  std::optional<std::uint32_t> workers{};  ///< that there are; nothing: the source says, or a guess
  Duration horizon = std::chrono::hours(1);  ///< how far it looks ahead, and back
  Seed seed{1};
  unsigned jobs = 1;       ///< threads; answers do not depend on it
  std::stop_token stop{};  ///< asked to stop: what is not known yet stays unknown
};

/// Watches a fleet: from the tasks of the last horizon it says what the next one will need, and how
/// well it said so before. A function of what it is fed, with the times that it is told.
///
/// The rate ahead is on a straight line through those of kParts parts of the horizon, if they lie
/// on one (its slope is more than kSlopeErrors standard errors), for as long as they did so far,
/// and level from there on; or else it is their mean. The fleet is that of plan::plan() for the
/// highest rate ahead, with the kTasksPlanned tasks that came last, closer together or further
/// apart. The percentile is what the fleet that there is would make of the mean rate.
/// Cost:    memory of kTasksPlanned tasks and two histograms' worth per part; a report plans once.
/// Threads: one at a time.
class FleetWatch {
 public:
  static constexpr std::size_t kParts = 60;
  static constexpr double kSlopeErrors = 2;
  static constexpr std::size_t kTasksPlanned = 20'000;
  static constexpr std::size_t kTasksMin = 100;  ///< fewer tell nothing
  static constexpr std::size_t kPartsMin = 5;    ///< fewer tell nothing

  /// Errors: invalid: an objective or a policy that is none, a horizon below a minute's tenth.
  [[nodiscard]] static Result<FleetWatch> make(WatchOptions options);

  /// What the source knows of its tasks: see trace::TraceHeader. To be told before them.
  void begin(trace::TraceHeader header) { header_ = std::move(header); }
  /// A task that is over; times are since 1970. Any order, as long as none is a horizon late.
  void add(const trace::TaskRecord& task);
  /// Tasks known by their number alone, that took so much of workers' time; they came within
  /// [from, to), of a fleet of so many workers. Requires: from < to.
  void add(Instant from, Instant to, double tasks, double busy_s, std::uint32_t workers);

  /// What there is to say at that moment. Requires: moments ascend.
  [[nodiscard]] WatchReport report(Instant now);
  /// Of all reports so far.
  [[nodiscard]] WatchSummary summary() const;

 private:
  struct Part {
    double tasks = 0;
    double busy_s = 0;
    stat::Histogram response_ns{7};
  };
  struct Window;

  explicit FleetWatch(WatchOptions options) : options_(std::move(options)) {}

  [[nodiscard]] Duration part_length() const { return options_.horizon / kParts; }
  [[nodiscard]] std::int64_t part_of(Instant at) const;
  [[nodiscard]] Window window(std::int64_t begin, std::int64_t end) const;
  [[nodiscard]] Duration delay(const Window& last) const;
  [[nodiscard]] WatchForecast rates_ahead(std::int64_t begin, std::int64_t end) const;
  [[nodiscard]] std::string too_little(const Window& seen) const;
  [[nodiscard]] Result<scenario::Scenario> scenario_for(WatchForecast& forecast, Instant end) const;
  [[nodiscard]] Result<scenario::Scenario> recorded(WatchForecast& forecast, Instant end) const;
  [[nodiscard]] Result<scenario::Scenario> counted(WatchForecast& forecast, Instant end) const;
  [[nodiscard]] std::string plan(WatchForecast& forecast, const scenario::Scenario& scenario) const;
  void predict(WatchForecast& forecast, const scenario::Scenario& scenario) const;
  void score(std::int64_t end);
  void forget(std::int64_t end);

  WatchOptions options_;
  trace::TraceHeader header_;
  std::map<std::int64_t, Part> parts_;    // by number since 1970; those without tasks are not here
  std::optional<std::int64_t> first_{};   // the first that may be whole
  std::deque<trace::TaskRecord> newest_;  // kTasksPlanned at most
  std::uint32_t counted_workers_ = 0;     // of the source, if it knows numbers alone
  bool counts_ = false;                   // it does
  std::deque<WatchForecast> ahead_;       // not over yet
  std::optional<WatchScore> last_;
  WatchSummary sums_;  // errors are sums here
};

}  // namespace artel::watch
