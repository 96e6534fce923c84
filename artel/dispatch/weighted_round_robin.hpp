#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/rota.hpp"
#include "artel/unit/id.hpp"

namespace artel::dispatch {

/// The rota of a view's workers, by `Load::weight`; workers that have left have no turn.
template <LoadView View>
[[nodiscard]] Rota rota_of(const View& view) {
  std::vector<double> weights(view.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Load& load = view.load(worker(i));
    weights[i] = load.capacity > 0 ? double{load.weight} : 0.0;
  }
  return Rota(weights);
}

/// Assigns the tasks in turn, in proportion to the workers' weights and evenly interleaved (see
/// Rota). A full worker's turn goes to the next one with room.
///
/// Cost:    O(1) with the rota in the draw, which the host makes anew when workers come or go;
///          without it the rota is made for this one decision (O(turns), allocates).
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
struct WeightedRoundRobin {
  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    const auto turn =
        draw.rota != nullptr ? draw.rota->turn(draw.ticket) : rota_of(view).turn(draw.ticket);
    if (!turn || index(*turn) >= view.size()) return view.next(Group::open, WorkerId{0});
    if (view.load(*turn).room() > 0) return turn;
    return view.next(Group::open, *turn);
  }
};

}  // namespace artel::dispatch
