#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/batch_series.hpp"
#include "artel/fleet/observation.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/replication_options.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/stat/time_average.hpp"

namespace artel::fleet::detail {

/// The statistics of times in ns; zeros if there are none.
[[nodiscard]] TimeSummary summary_of(const stat::Histogram& nanoseconds);

/// Measures one replication: told of every task's steps, it counts what comes after the warm-up.
///
/// Response and wait count the tasks that arrive after the warm-up; averages over time run from the
/// arrival of the first of these to that of the last, so that neither the empty start nor the
/// drained end weighs in. Cost: a few ns per call; memory O(workers), independent of the length of
/// the run. Threads: one at a time.
class Meter {
 public:
  /// `options` must outlive the meter.
  Meter(const ReplicationOptions& options, std::size_t workers, std::size_t slots_each = 1);

  /// A task arrives; returns whether it counts. Requires: `now` never goes back.
  bool arrived(Instant now);
  /// How many came so far.
  [[nodiscard]] std::uint64_t tasks() const { return result_.tasks; }
  /// Nobody had room for the task that came.
  void rejected(Instant now, bool counted);
  /// The service of the task that came at `arrival` (or of one of its parts) starts on `worker`.
  void started(Instant now, WorkerId worker, Instant arrival);
  /// The service of a task (or of one part) on `worker` ends.
  void finished(Instant now, WorkerId worker);
  /// So many more places serve something, without a word of what.
  void busy(Instant now, double change);
  /// The task that came at `arrival` went away before its service began.
  void gave_up(Instant now, Instant arrival, bool counted);
  /// An attempt is sent for a task.
  void attempted(bool counted) { result_.attempts += counted ? 1 : 0; }
  /// So many tokens of a task's prefix, of all, were in its worker's cache.
  void prefix(std::uint64_t held, std::uint64_t all, bool counted) {
    result_.prefix_held += counted ? held : 0;
    result_.prefix_all += counted ? all : 0;
  }
  /// A task that completed was late for its deadline.
  void late(bool counted) { result_.late += counted ? 1 : 0; }
  /// A task was lost in service, or not answered in time.
  void lost(Instant now, bool counted);
  /// A task is done, all parts of it: it came at `arrival` and (the last part) started at `start`.
  void completed(Instant now, Instant arrival, Instant start, bool counted);
  /// The number of tasks bound to `worker` became `queued`, one more or one less than before.
  void grew(Instant now, WorkerId worker, std::uint32_t queued) { step(now, worker, queued, +1); }
  /// The same, one less.
  void shrank(Instant now, WorkerId worker, std::uint32_t queued) {
    step(now, worker, queued + 1, -1);
  }
  /// So many more workers cost something; not told of those at the start.
  void resized(Instant now, double change);
  /// No task will arrive any more: ends the averages over time.
  void source_ended(Instant now);

  /// Requires: after source_ended and the last completion.
  [[nodiscard]] Replication result() const;

 private:
  void step(Instant now, WorkerId worker, std::uint32_t depth, int change);

  const ReplicationOptions& options_;
  Observation* observation_;  ///< as the options have it, like the series: asked at every step
  BatchSeries* series_;
  std::size_t slots_each_;
  CountedTimes times_;
  stat::TimeAverage in_system_;
  stat::TimeAverage busy_;
  stat::TimeAverage size_;                         ///< workers
  std::array<stat::TimeAverage, kDepths> beyond_;  ///< [k]: workers with more than k tasks
  Replication result_;
  std::uint64_t waited_ = 0;
  Instant window_start_{};
  bool counting_ = false;
  bool resized_ = false;
};

}  // namespace artel::fleet::detail
