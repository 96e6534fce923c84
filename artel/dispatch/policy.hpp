#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

// IWYU pragma: begin_exports
#include "artel/dispatch/affinity.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/c3.hpp"
#include "artel/dispatch/cache_aware.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/jbt.hpp"
#include "artel/dispatch/jiq.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/latency.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/least_work_left.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/maglev.hpp"
#include "artel/dispatch/peak_ewma.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/dispatch/prequal.hpp"
#include "artel/dispatch/random.hpp"
#include "artel/dispatch/rendezvous.hpp"
#include "artel/dispatch/round_robin.hpp"
#include "artel/dispatch/sita.hpp"
#include "artel/dispatch/weighted_least_request.hpp"
#include "artel/dispatch/weighted_round_robin.hpp"
// IWYU pragma: end_exports
#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"

namespace artel::dispatch {

/// A rule that names a worker for a task: a pure function of the loads and the draw.
using Policy = std::variant<Random, RoundRobin, WeightedRoundRobin, LeastLoaded, Jsq, Jiq,
                            LeastWorkLeft, Sita, ClosedLoop, PeakEwma, Rendezvous, Maglev, Jbt, C3,
                            Affinity, CacheAware, Prequal, WeightedLeastRequest, Custom>;

/// The worker that gets the task; nothing only when no worker has room.
///
/// A view may offer `reading<PolicyInputs>()`: itself, but with loads of which only those fields
/// are read. Then each policy sees what it has named at compile time (`kReads`), and nothing else
/// is fetched for it.
/// Cost:    the policy's own, plus one switch.
/// Threads: safe from any thread, with a view that is.
template <LoadView View>
[[nodiscard]] std::optional<WorkerId> choose(const Policy& policy, const View& view,
                                             const Draw& draw) {
  return std::visit(
      [&]<class Chosen>(const Chosen& chosen) {
        if constexpr (requires { view.template reading<Chosen::kReads>(); }) {
          return chosen.choose(view.template reading<Chosen::kReads>(), draw);
        } else {
          return chosen.choose(view, draw);
        }
      },
      policy);
}

/// What a host must keep up to date for a policy; everything else it may leave out. `queued`,
/// `capacity` and the groups members and open are always needed.
struct Needs {
  std::optional<Busyness> least{};  ///< asks least() of this busyness: worth an index
  std::optional<Busyness> ties{};   ///< asks which are least busy by this: worth one, too…
  std::uint32_t ties_beyond = 0;    ///< …of more workers than so many
  bool idle = false;                ///< asks for the group idle
  PolicyInputs inputs{};            ///< of loads and draws; work is counted from size
  LatencyLaw latency{};             ///< if that is one of the fields: how it is made
  bool dice = false;                ///< reads Draw::dice
  bool shares = false;              ///< reads Draw::shares: run a Controller
  bool cycle = false;               ///< reads Draw::cycle: make it whenever workers come or go
  std::uint32_t places = 0;         ///< reads Draw::table, of so many: likewise; 0: it does not
  bool probes = false;              ///< reads Draw::probes: each who decides keeps a Prober
  bool sizes = false;               ///< wants to see typical sizes beforehand: call `fit`
};

/// What the host must keep up for this policy. O(1).
[[nodiscard]] Needs needs(const Policy& policy);

/// Errors: invalid, with the fields that the policy reads and a host does not keep. `host`: "a
/// cluster". A Custom policy that has not said what it reads is never refused.
[[nodiscard]] Result<void> check_inputs(const Policy& policy, PolicyInputs kept,
                                        std::string_view host);

/// Shows a policy the sizes that are to be expected, if it wants them (SITA: cut-offs of equal
/// load).
///
/// Requires: sizes not empty.
void fit(Policy& policy, std::span<const Duration> sizes, std::size_t workers);

/// "jsq(2)", "least_loaded(occupancy)", "closed_loop(yawp)": short, distinct, for tables.
[[nodiscard]] std::string name(const Policy& policy);

}  // namespace artel::dispatch
