#pragma once

#include <cmath>
#include <cstddef>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {

/// Drawn with chances in proportion to weight / (tasks + 1)^bias, among the workers with room.
///
/// Bias 0 goes by weights alone; the higher it is, the more the tasks count. Envoy, whose policy it
/// is where weights differ, hands out turns in these proportions instead of drawing.
/// Cost:    O(workers) loads read, twice; a pow() each unless bias is 0 or 1.
/// Requires: bias finite, at least 0.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
/// Source:  Envoy, "Weighted least request".
struct WeightedLeastRequest {
  /// Besides queued and capacity.
  static constexpr PolicyInputs kReads{PolicyInput::weight};

  double bias = 1;  ///< how much tasks count

  /// The worker's chance is in proportion to this.
  [[nodiscard]] double share(const Load& load) const {
    if (load.room() == 0) return 0;
    const double tasks = 1.0 + load.queued;
    return load.weight / (bias == 1 ? tasks : std::pow(tasks, bias));
  }

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    double all = 0;
    for (std::size_t i = 0; i < view.size(); ++i) all += share(view.load(worker(i)));
    Dice dice(draw);
    double left = dice.uniform() * all;
    std::optional<WorkerId> last;
    for (std::size_t i = 0; i < view.size(); ++i) {
      const double mine = share(view.load(worker(i)));
      if (mine <= 0) continue;
      last = worker(i);
      left -= mine;
      if (left < 0) break;
    }
    return last;
  }
};

}  // namespace artel::dispatch
