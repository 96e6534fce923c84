#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {

/// For how long so many tasks were at work at once.
struct BusyTimes {
  std::vector<Duration> at;  ///< by number of tasks, from 0 on

  /// The most tasks at work at once.
  [[nodiscard]] std::size_t most() const { return at.empty() ? 0 : at.size() - 1; }
  /// Tasks at work beside a task, on average over the work: 0 if each is always alone.
  [[nodiscard]] double beside() const;
};

/// Requires: tasks that ran count, others do not.
[[nodiscard]] BusyTimes busy_times(std::span<const trace::TaskRecord> tasks);

/// How much longer work takes the more tasks are at work beside it, as on a machine whose
/// processors they share.
struct ContentionFit {
  /// Of each further task at work: work takes (1 + per_task × those beside it) times as long as
  /// alone. 0 unless it is more than chance.
  double per_task = 0;
  double error = 0;           ///< standard error of what was seen
  std::uint64_t tasks = 0;    ///< that it was fitted to; 0: all had the same beside them
  std::size_t seen_most = 0;  ///< tasks at work at once

  /// How many times as long work takes as if each task were alone, with BusyTimes::beside().
  [[nodiscard]] double stretch(double beside) const { return 1 + per_task * beside; }
};

/// Compares tasks that began beside many with tasks that began beside few: their size does not
/// depend on that, so how long they took should not either. What is beside a task changes while it
/// is at work; its beginning is the instrument for the mean over it. Where long tasks follow long
/// ones nothing is told: that looks alike.
///
/// Cost:   O(n log n).
/// Source: instrumental variables, as of any book on regression.
[[nodiscard]] ContentionFit fit_contention(const std::vector<trace::TaskRecord>& tasks);

}  // namespace artel::predict
