#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/predict/contention_fit.hpp"
#include "artel/predict/replay.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::predict {

/// A recorded run as it was, and as it would have been otherwise; both are simulated.
struct WhatIf {
  /// One of the two runs.
  struct Side {
    std::uint32_t workers = 0;  ///< that the pool has
    double rate = 0;            ///< tasks per second that arrive
    std::string policy;         ///< its label
    RunFigures figures;
  };
  Side before, after;  ///< as recorded, and with the change
  /// How many times as long as recorded work is taken to last in `after`: see ContentionFit.
  double work = 1;
  /// Of `after`, if work took, or tasks came, or both, kSensitivity more or less than that; and if
  /// work takes `unseen` longer, as more tasks are at work at once than were ever recorded.
  RunFigures low, high;
  double unseen = 0;
  /// Where the question leaves what was observed; often none.
  std::vector<std::string> notes{};

  static constexpr double kSensitivity = 0.05;
  /// Of twice as many tasks at work as were ever recorded: what a machine may lose by that.
  static constexpr double kUnseen = 0.1;
};

/// As many are enough: the tasks are the same ones, only the dice are not.
inline constexpr std::size_t kWhatIfReplications = 5;

/// Simulates the same tasks in two pools, each under the first policy of its scenario, and how much
/// the answer moves if service times and the rate are not quite the recorded ones. Where tasks at
/// work make each other slower, `contention` says so: they do it in the changed pool, too.
///
/// Cost:   about 6 us per task; means of `replications` where dice are drawn.
/// Errors: `cancelled` when stopped.
[[nodiscard]] Result<WhatIf> what_if(const scenario::Scenario& before,
                                     const scenario::Scenario& after, std::size_t replications,
                                     unsigned jobs, const std::stop_token& stop = {},
                                     const RunProgress& progress = {},
                                     const ContentionFit& contention = {});

}  // namespace artel::predict
