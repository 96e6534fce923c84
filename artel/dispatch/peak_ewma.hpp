#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/latency.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {

/// Draws d different workers and takes the one whose latency × (tasks it has + 1) is least. The
/// latency is a peak EWMA: it jumps to the slowest answer and fades by `decay` from then on. Ties
/// go to any of them with equal chance. When none of the d has room: uniform among those that have.
///
/// A worker that has not answered yet counts with `initial`: too short sends a new worker many
/// tasks before it has shown how slow it is, too long keeps them from it.
/// Cost:    O(d) loads read and as many exp(); O(workers) when it looks at all.
/// Requires: 1 <= d <= Jsq::kChoicesMax, or Jsq::kAll; decay and initial above 0.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
/// Source:  Finagle; tower and Linkerd, with d = 2.
struct PeakEwma {
  /// Besides queued and capacity.
  static constexpr PolicyInputs kReads{PolicyInput::latency, PolicyInput::now};

  std::uint32_t d = 2;
  Duration decay = std::chrono::seconds(10);         ///< after so long the past counts 1/e
  Duration initial = std::chrono::milliseconds(30);  ///< of a worker that has not answered yet

  /// What workers are compared by: seconds × tasks.
  [[nodiscard]] double cost(const Load& load, Instant now) const {
    const Duration latency = latency_now(load, now, decay, initial);
    return to_seconds(latency) * (load.queued + 1.0);
  }

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    Dice dice(draw);
    return least_cost(view, dice, d, [&](const Load& load) { return cost(load, draw.now); });
  }
};

}  // namespace artel::dispatch
