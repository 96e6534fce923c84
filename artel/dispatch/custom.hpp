#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/any_loads.hpp"  // IWYU pragma: export
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/latency.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {

/// The user's own policy. It should depend on loads and draw alone, so that decisions can be
/// replayed, and may call other policies on the loads it is given.
///
/// A full worker, or none, stands for the next one with room (after it, or from worker 0 on).
/// Cost:    the user's; one std::function call and a virtual call per question.
/// Errors:  none; nullopt when no worker has room. Naming a worker that does not exist breaks the
///          contract.
/// Threads: as the user's function.
struct Custom {
  using Function = std::function<std::optional<WorkerId>(const AnyLoads&, const Draw&)>;
  /// Besides queued and capacity.
  static constexpr PolicyInputs kReads = PolicyInputs::all();

  Function function{};
  std::string name = "custom";
  /// What the function reads; fields that it does not name may be as in an empty Load or Draw.
  /// Nothing: it has not said, and takes whatever the host has.
  std::optional<PolicyInputs> reads{};
  LatencyLaw latency{};  ///< how Load::latency is made
  std::string text{};    ///< what a text file calls it, see policy_text(); nothing: as `name`

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    ARTEL_REQUIRE(function != nullptr, "a custom policy needs a function");
    const auto id = function(AnyLoadsOf<View>(view), draw);
    if (!id) return view.next(Group::open, WorkerId{0});
    ARTEL_REQUIRE(index(*id) < view.size(), "no such worker", index(*id), view.size());
    if (view.load(*id).room() > 0) return id;
    return view.next(Group::open, *id);
  }
};

}  // namespace artel::dispatch
