#pragma once

#include <cstddef>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {

/// Assigns the tasks to the workers in turn. A full worker's turn goes to the next one with room;
/// workers that have left have no turn.
///
/// Cost:    O(1); nth() and next() of the view where workers have left or are full.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state (the turn comes in with the draw): safe from any thread.
struct RoundRobin {
  static constexpr PolicyInputs kReads{};  ///< nothing but queued and capacity

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    const std::size_t members = view.count(Group::members);
    if (members == 0) return std::nullopt;
    const std::size_t turn = draw.turn % members;
    const auto id = members == view.size() ? worker(turn) : view.nth(Group::members, turn);
    if (!id || view.load(*id).room() > 0) return id;
    return view.next(Group::open, *id);
  }
};

}  // namespace artel::dispatch
