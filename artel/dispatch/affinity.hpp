#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {

/// Prefix-cache aware: the worker for which the share of the task's prefix that it holds, less
/// `beta` × its relative load, is greatest. Ties go to any of them with equal chance.
///
/// The relative load is a worker's tasks / (1 + the average of all workers): 1 or less for a worker
/// that has as many as others, 0 for one that has none. Beta 0 looks at caches only; infinity at
/// loads only, as Jsq of all does. A task whose prefix nobody holds, or a host that says nothing of
/// caches, gets the least loaded.
/// Cost:    two loads read per worker.
/// Requires: 0 <= beta.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
struct Affinity {
  static constexpr PolicyInputs kReads{PolicyInput::matched};  ///< besides queued and capacity

  double beta = 0.5;  ///< so much of a prefix weighs as much as an average queue

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    Dice dice(draw);
    // A tiny part of the load decides between those that the rest leaves equal.
    constexpr double kLeast = 1e-9;
    constexpr double kMost = 1e9;
    const double weight = std::clamp(beta, kLeast, kMost) / (1 + mean_queued(view));
    return least_of_all(view, dice, [&](const Load& load, WorkerId id) {
      return weight * load.queued - draw.matched_by(id);
    });
  }

 private:
  template <LoadView View>
  [[nodiscard]] static double mean_queued(const View& view) {
    double tasks = 0;
    double workers = 0;
    for (std::size_t i = 0; i < view.size(); ++i) {
      const Load& load = view.load(worker(i));
      if (load.capacity == 0) continue;
      tasks += load.queued;
      ++workers;
    }
    return workers > 0 ? tasks / workers : 0;
  }
};

}  // namespace artel::dispatch
