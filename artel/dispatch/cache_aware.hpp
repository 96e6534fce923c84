#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {

/// Prefix-cache aware by a switch: as long as loads are alike, the worker that holds the greatest
/// share of the task's prefix, if that is more than `cache_threshold`; else the least loaded. Ties
/// go to who has fewer tasks, then to any with equal chance.
///
/// Loads are alike unless most - least > `balance_abs` and most > `balance_rel` × least, of all
/// workers.
/// Cost:    two loads read per worker.
/// Requires: 0 <= cache_threshold <= 1; 0 <= balance_rel.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
/// Source:  SGLang's router (cache_aware), whose thresholds these are. Where too little is matched,
///          it takes the worker with the smallest cache.
struct CacheAware {
  static constexpr PolicyInputs kReads{PolicyInput::matched};  ///< besides queued and capacity

  double cache_threshold = 0.3;    ///< a smaller share of the prefix, or as small, is not worth it
  std::uint32_t balance_abs = 64;  ///< tasks
  double balance_rel = 1.5;

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    Dice dice(draw);
    const bool alike = !out_of_balance(view);
    constexpr double kTask = 1e-9;  // decides between equal shares
    return least_of_all(view, dice, [&](const Load& load, WorkerId id) {
      const double held = alike ? draw.matched_by(id) : 0;
      return kTask * load.queued - (held > cache_threshold ? held : 0);
    });
  }

 private:
  template <LoadView View>
  [[nodiscard]] bool out_of_balance(const View& view) const {
    std::uint32_t least = kUnbounded;
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < view.size(); ++i) {
      const Load& load = view.load(worker(i));
      if (load.capacity == 0) continue;
      least = std::min(least, load.queued);
      most = std::max(most, load.queued);
    }
    return most > least && most - least > balance_abs && most > balance_rel * least;
  }
};

}  // namespace artel::dispatch
