#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/dispatch/weighted_cycle.hpp"

namespace artel::dispatch {

/// The cycle of a view's workers, by `Load::weight`; workers that have left have no turn.
template <LoadView View>
[[nodiscard]] WeightedCycle weighted_cycle_of(const View& view) {
  std::vector<double> weights(view.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Load& load = view.load(worker(i));
    weights[i] = load.capacity > 0 ? double{load.weight} : 0.0;
  }
  return WeightedCycle(weights);
}

/// Assigns the tasks in turn, in proportion to the workers' weights and evenly interleaved (see
/// WeightedCycle). A full worker's turn goes to the next one with room.
///
/// Cost:    O(1) with the cycle in the draw, which the host makes anew when workers come or go;
///          without it the cycle is made for this one decision (O(turns), allocates).
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
struct WeightedRoundRobin {
  /// Besides queued and capacity.
  static constexpr PolicyInputs kReads{PolicyInput::weight};

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    const auto turn = draw.cycle != nullptr ? draw.cycle->turn(draw.turn)
                                            : weighted_cycle_of(view).turn(draw.turn);
    if (!turn || index(*turn) >= view.size()) return view.next(Group::open, WorkerId{0});
    if (view.load(*turn).room() > 0) return turn;
    return view.next(Group::open, *turn);
  }
};

}  // namespace artel::dispatch
