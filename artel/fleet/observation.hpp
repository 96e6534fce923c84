#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/time_series.hpp"

namespace artel::fleet {

/// The times from `from` up to, and without, `to`.
struct TimeWindow {
  Instant from{};
  Instant to{};
};

/// The service of one task, or of one of its parts.
struct ObservedTask {
  WorkerId worker{};
  Instant arrival{};  ///< of the task, at the dispatcher
  Instant start{};    ///< of its service
  Instant end{};
};

/// Watches one replication, for pictures of it: queue lengths and busy workers over time, the tasks
/// at each worker, and every task served within a window of time.
///
/// Unlike a Meter it begins with the first task: a warm-up is part of the picture.
/// Cost:    some ten ns per call; memory O(workers), independent of the length of the run: a fixed
///          number of buckets of time, rows of workers and tasks.
/// Threads: one at a time.
class Observation {
 public:
  static constexpr std::size_t kBuckets = 256;     ///< of time, at most
  static constexpr std::size_t kRowBuckets = 128;  ///< of time, in each row, at most
  static constexpr std::size_t kRowsMax = 64;      ///< with more workers, several share a row
  static constexpr std::size_t kTasksMax = 600;    ///< of the window; the others are counted

  /// `window`: of which to keep the tasks that the first kRowsMax workers serve.
  explicit Observation(std::size_t workers, std::optional<TimeWindow> window = std::nullopt);

  // Told by the Meter; `now` never goes back.
  /// A task came.
  void arrived(Instant now);
  /// A task is done or rejected.
  void left(Instant now) { in_system_.add(now, -1); }
  void started(Instant now, WorkerId worker, Instant arrival);
  void finished(Instant now, WorkerId worker);
  /// So many more workers serve something, slots as parts; not with started() and finished().
  void busy(Instant now, double change) { busy_.add(now, change); }
  /// The number of tasks bound to the worker changed by so much.
  void bound(Instant now, WorkerId worker, int change) { rows_[row_of(worker)].add(now, change); }
  /// The last task has left: all series end now.
  void ended(Instant now);

  /// As given.
  [[nodiscard]] std::size_t workers() const { return running_.size(); }
  /// Tasks that waited or ran, over time.
  [[nodiscard]] const TimeSeries& in_system() const { return in_system_; }
  [[nodiscard]] const TimeSeries& busy() const { return busy_; }
  /// Tasks bound to the workers of each row, all of them together.
  [[nodiscard]] const std::vector<TimeSeries>& rows() const { return rows_; }
  [[nodiscard]] std::size_t workers_per_row() const { return workers_per_row_; }
  /// When the most tasks were in the system, for the first time.
  [[nodiscard]] Instant peak() const { return peak_; }
  [[nodiscard]] double peak_in_system() const { return peak_in_system_; }
  [[nodiscard]] const std::vector<ObservedTask>& tasks() const { return tasks_; }
  [[nodiscard]] std::uint64_t tasks_left_out() const { return tasks_left_out_; }

 private:
  struct Running {
    Instant arrival{};
    Instant start{};
  };

  // While workers leave, their ids may go beyond the number that there can be.
  [[nodiscard]] std::size_t row_of(WorkerId worker) const {
    return std::min(index(worker) / workers_per_row_, rows_.size() - 1);
  }

  std::optional<TimeWindow> window_;
  std::vector<Running> running_;
  TimeSeries in_system_{kBuckets};
  TimeSeries busy_{kBuckets};
  std::size_t workers_per_row_;
  std::vector<TimeSeries> rows_;
  Instant peak_{};
  double peak_in_system_ = 0;
  std::vector<ObservedTask> tasks_;
  std::uint64_t tasks_left_out_ = 0;
};

/// A window with the moment in its middle when the most tasks were there: long enough for some
/// services on every worker whose tasks are kept, short enough for them to be told apart.
[[nodiscard]] TimeWindow window_around_peak(const Observation& observation, double mean_service_s);

}  // namespace artel::fleet
