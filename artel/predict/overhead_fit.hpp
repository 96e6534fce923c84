#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {

/// What it takes to get a task going, beside waiting and service.
struct OverheadFit {
  /// From submission to start where the worker had been idle, in at most 100 slices of equal
  /// likelihood; empty: none was seen, or none took any time.
  std::vector<Duration> wake_ups;
  std::uint64_t wake_up_samples = 0;  ///< tasks that found their worker idle
  Duration wake_up_median{};          ///< of them
  /// From the end of a task to the start of the next on the same worker, where that one was waiting
  /// already: the mean, so that no time of the worker is lost. In a closed loop: the median of all,
  /// since nobody knows which of them had something to wait for.
  Duration task_overhead{};
  std::uint64_t task_samples = 0;  ///< tasks that followed on another
};

/// Requires: tasks that ran. Cost: O(n log n).
[[nodiscard]] OverheadFit fit_overhead(std::span<const trace::TaskRecord> tasks, trace::Loop loop);

/// Relative speeds of the workers, from how long equal tasks took on each.
struct SpeedFit {
  std::vector<double> speeds;  ///< of every worker, geometric mean 1; all 1 unless `differ`
  bool differ = false;         ///< beyond doubt (99%) and by more than 2%
  bool by_hint = false;        ///< service was compared with the size hints
  double spread = 0;           ///< largest estimate / smallest, whether they differ or not
};

/// Compares geometric means of service (divided by the size hint, where all tasks have one): what
/// a policy that does not look at sizes gives each worker is the same mix of tasks.
/// Requires: tasks that ran; workers above 0.
[[nodiscard]] SpeedFit fit_speeds(std::span<const trace::TaskRecord> tasks, std::uint32_t workers);

}  // namespace artel::predict
