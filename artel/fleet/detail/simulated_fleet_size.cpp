// The workers of a simulated fleet: those at the start, and those that come and go.
#include <cstddef>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/fleet/detail/simulated_fleet.hpp"

namespace artel::fleet::detail {

bool SimulatedFleet::waits_alone() const {
  const bool nobody_else = !source_open_ || (users_ != nullptr && thinking_ == 0);
  return nobody_else && placement_.waits();
}

void SimulatedFleet::join() {
  const auto id = placement_.join();
  if (index(id) == workers_.size()) workers_.add();
  empty_cache(id);
  at(id).since = now();
  note_idle(id);
  outages_.joined(id);
  bind_held_soon();
}

// The worker with the fewest tasks, the last of several.
void SimulatedFleet::send_away() {
  std::optional<WorkerId> least;
  for (std::size_t w = 0; w < workers_.size(); ++w) {
    const auto id = dispatch::worker(w);
    if (!placement_.members().working(id)) continue;
    if (!least || at(id).bound <= at(*least).bound) least = id;
  }
  ARTEL_REQUIRE(least.has_value(), "a fleet that is too large has a worker");
  placement_.expel(*least);
  retire_if_gone(*least);
}

void SimulatedFleet::retire_if_gone(WorkerId id) {
  if (placement_.members().working(id) || placement_.members().leaving(id)) return;
  auto& worker = at(id);
  if (!worker.warm) cancel(worker.warming);
  outages_.retired(id);
  worker.warm = true;
  meter_.resized(now(), -1);
}

}  // namespace artel::fleet::detail
