#pragma once

#include <optional>

#include "artel/core/id.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {

/// Assigns each task to the least busy worker with room: join the shortest queue (JSQ) when
/// busyness is the queue length.
///
/// Ties go to the lowest WorkerId, so equal inputs give equal decisions. Several dispatchers that
/// see the same old loads therefore all pick the same worker: give them Jsq instead.
///
/// Cost:    O(1) where the view indexes this busyness (an update is O(log workers)), else
///          O(workers).
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
/// Source:  R. Pike's balancer; sangfroid; TaskManager by occupancy.
struct LeastLoaded {
  /// Besides queued and capacity.
  static constexpr PolicyInputs kReads = Busyness::kReads;

  Busyness busyness{};

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& /*draw*/) const {
    return view.least(busyness);
  }
};

}  // namespace artel::dispatch
