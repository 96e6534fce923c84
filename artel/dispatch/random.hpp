#pragma once

#include <cstddef>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {

/// Uniform among the workers with room: a few throws over all workers, then, if they all hit full
/// ones, exactly one among those with room.
///
/// Cost: O(1) as long as a good part has room; beyond that one count() and nth() of the view.
template <LoadView View>
[[nodiscard]] std::optional<WorkerId> random_open(const View& view, Dice& dice) {
  constexpr int kThrows = 4;
  const std::size_t workers = view.size();
  if (workers == 0) return std::nullopt;
  for (int i = 0; i < kThrows; ++i) {
    const WorkerId id = worker(dice.below(workers));
    if (view.load(id).room() > 0) return id;
  }
  const std::size_t open = view.count(Group::open);
  if (open == 0) return std::nullopt;
  return view.nth(Group::open, dice.below(open));
}

/// Assigns each task to a worker drawn uniformly among those with room.
///
/// Cost:    O(1); full workers cost no scan where the view indexes groups.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
struct Random {
  static constexpr PolicyInputs kReads{};  ///< nothing but queued and capacity

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    Dice dice(draw);
    return random_open(view, dice);
  }
};

}  // namespace artel::dispatch
