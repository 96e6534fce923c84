#pragma once

#include <cstdint>
#include <functional>

#include "artel/core/id.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/indexed_loads.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/stealing.hpp"

namespace artel::dispatch {

/// What a Dispatcher is to do.
struct DispatcherOptions {
  Policy policy = LeastLoaded{};
  std::uint32_t common_capacity = kUnbounded;  ///< tasks that the common queue holds at most
  bool take_over = false;  ///< an idle worker takes the task that waits longest elsewhere
  Stealing stealing = Stealing::none;  ///< not with take_over
  SizeLimits limits{};
  std::uint64_t seed = 0;  ///< of the dice
  /// Hears every decision: the loads and the draw it was made from, and the worker chosen.
  std::function<void(const IndexedLoads&, const Draw&, WorkerId)> on_decision{};
};

}  // namespace artel::dispatch
