#pragma once

#include <cstddef>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/dispatch/random.hpp"

namespace artel::dispatch {

/// Join the idle queue: an idle worker, drawn uniformly, if there is one; else uniform among the
/// workers with room.
///
/// Cost:    one count() and nth() of the idle group; else as Random.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
/// Source:  Lu et al. 2011.
struct Jiq {
  static constexpr PolicyInputs kReads{};  ///< nothing but queued and capacity

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    Dice dice(draw);
    if (const std::size_t idle = view.count(Group::idle); idle > 0) {
      if (const auto id = view.nth(Group::idle, dice.below(idle))) return id;
    }
    return random_open(view, dice);
  }
};

}  // namespace artel::dispatch
