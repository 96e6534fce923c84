#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/jiq.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {

/// Join below threshold: uniform among the workers that have room and fewer than `threshold` tasks;
/// if there is none, uniform among the workers with room.
///
/// Threshold 1 is Jiq. Threshold kUnbounded is Random.
/// Cost:    O(1) as long as a good part of the workers is below the threshold; else one load() per
///          worker. Threshold 1: as Jiq.
/// Requires: 1 <= threshold.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
/// Source:  Zhou, Tan, Shroff 2018; the fall-back is theirs.
struct Jbt {
  static constexpr PolicyInputs kReads{};  ///< nothing but queued and capacity

  std::uint32_t threshold = 2;  ///< a worker with so many tasks, or more, is passed over

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    if (threshold == 1) return Jiq{}.choose(view, draw);
    Dice dice(draw);
    constexpr int kThrows = 4;
    for (int i = 0; i < kThrows && view.size() > 0; ++i) {
      const WorkerId id = worker(dice.below(view.size()));
      const Load& load = view.load(id);
      if (load.queued < threshold && load.room() > 0) return id;
    }
    return least_of_all(view, dice,
                        [this](const Load& load) { return load.queued < threshold ? 0.0 : 1.0; });
  }
};

}  // namespace artel::dispatch
