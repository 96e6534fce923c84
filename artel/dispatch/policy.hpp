#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <variant>

// IWYU pragma: begin_exports
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/jiq.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/least_work_left.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/random.hpp"
#include "artel/dispatch/round_robin.hpp"
#include "artel/dispatch/sita.hpp"
#include "artel/dispatch/weighted_round_robin.hpp"
// IWYU pragma: end_exports
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"

namespace artel::dispatch {

/// A rule that names a worker for a task: a pure function of the loads and the draw.
using Policy = std::variant<Random, RoundRobin, WeightedRoundRobin, LeastLoaded, Jsq, Jiq,
                            LeastWorkLeft, Sita, ClosedLoop, Custom>;

/// The worker that gets the task; nothing only when no worker has room.
///
/// Cost:    the policy's own, plus one switch.
/// Threads: safe from any thread, with a view that is.
template <LoadView View>
[[nodiscard]] std::optional<WorkerId> choose(const Policy& policy, const View& view,
                                             const Draw& draw) {
  return std::visit([&](const auto& chosen) { return chosen.choose(view, draw); }, policy);
}

/// What a host must keep up to date for a policy; everything else it may leave out. `queued`,
/// `capacity` and the groups members and open are always needed.
struct Needs {
  std::optional<Busyness> least{};  ///< asks least() of this busyness: worth an index
  bool idle = false;                ///< asks for the group idle
  bool weight = false;              ///< reads Load::weight
  bool work = false;                ///< reads Load::work: count the hints of unfinished tasks
  bool delay = false;               ///< reads Load::delay
  bool size = false;                ///< reads Draw::size, or its work is counted from it
  bool dice = false;                ///< reads Draw::dice
  bool shares = false;              ///< reads Draw::shares: run a Controller
  bool cycle = false;               ///< reads Draw::cycle: make it whenever workers come or go
  bool sizes = false;               ///< wants to see typical sizes beforehand: call `fit`
};

/// What the host must keep up for this policy. O(1).
[[nodiscard]] Needs needs(const Policy& policy);

/// Shows a policy the sizes that are to be expected, if it wants them (SITA: cut-offs of equal
/// load).
///
/// Requires: sizes not empty.
void fit(Policy& policy, std::span<const Duration> sizes, std::size_t workers);

/// "jsq(2)", "least_loaded(occupancy)", "closed_loop(yawp)": short, distinct, for tables.
[[nodiscard]] std::string name(const Policy& policy);

}  // namespace artel::dispatch
