#pragma once

#include "artel/fleet/detail/fleet_queue.hpp"
#include "artel/fleet/detail/fleet_task.hpp"

namespace artel::fleet::detail {

/// What a simulated fleet is made of in which tasks are queued and served, and nothing else happens
/// to them: all that is left out costs nothing, since the compiler leaves it out.
struct PlainParts {
  static constexpr bool kPlain = true;
  using TaskKind = PlainTask;
  using QueueKind = PlainQueue;
};

/// What one is made of that may have everything.
struct FleetParts {
  static constexpr bool kPlain = false;
  using TaskKind = FleetTask;
  using QueueKind = FleetQueue;
};

}  // namespace artel::fleet::detail
