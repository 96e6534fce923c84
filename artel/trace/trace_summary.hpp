#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {

/// What one worker did.
struct WorkerUse {
  WorkerId worker{};  ///< TaskRecord::kNobody: threads that waited for their tasks
  std::uint64_t tasks = 0;
  Duration busy{};   ///< serving tasks
  double share = 0;  ///< of the length of the trace
};

/// The tasks of one class.
struct ClassUse {
  /// Of the histograms: quantiles are within 0.4%.
  static constexpr unsigned kPrecisionBits = 7;

  std::uint64_t tasks = 0;                      ///< all of them, however they ended
  Duration busy{};                              ///< serving them
  stat::Histogram response_ns{kPrecisionBits};  ///< these of tasks that ran
  stat::Histogram service_ns{kPrecisionBits};   ///< from start to end
};

/// A trace in numbers.
struct TraceSummary {
  /// Of the histograms: quantiles are within 0.05%.
  static constexpr unsigned kPrecisionBits = 10;  // quantiles within 0.05 %

  std::array<std::uint64_t, kTaskOutcomes> outcomes{};  ///< tasks, by TaskOutcome
  Duration length{};                               ///< from the first submission to the last end
  double submitted_per_s = 0;                      ///< over the length of the trace; of all tasks
  double finished_per_s = 0;                       ///< tasks that ran
  stat::Histogram response_ns{kPrecisionBits};     ///< these of tasks that ran
  stat::Histogram queue_delay_ns{kPrecisionBits};  ///< from submission to start
  stat::Histogram service_ns{kPrecisionBits};      ///< from start to end
  std::vector<WorkerUse> workers;                  ///< in order of id; those that ran anything
  std::vector<ClassUse> classes;                   ///< by number; empty: the trace has none

  /// Tasks that ended so.
  [[nodiscard]] std::uint64_t of(TaskOutcome outcome) const {
    return outcomes[static_cast<std::size_t>(outcome)];
  }
};

/// Cost: about 30 ns per task.
[[nodiscard]] TraceSummary summarise(const TaskTrace& trace);

}  // namespace artel::trace
