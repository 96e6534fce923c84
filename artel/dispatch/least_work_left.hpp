#pragma once

#include <optional>

#include "artel/core/id.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {

/// Assigns each task to the worker that will be through with its work first: an idle one if there
/// is one, else the least `Load::work` among those with room.
///
/// Ties go to the lowest WorkerId. With exact size hints every task starts when it would in one
/// central queue. Tasks without a hint should count as very short ones, so that without any hints
/// this is LeastLoaded.
/// Cost:    O(1) where the view indexes work (an update is O(log workers)), else O(workers).
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
struct LeastWorkLeft {
  /// Besides queued and capacity.
  static constexpr PolicyInputs kReads{PolicyInput::work};

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& /*draw*/) const {
    if (const auto idle = view.next(Group::idle, WorkerId{0})) return idle;
    return view.least(Measure::work);
  }
};

}  // namespace artel::dispatch
