// The workers of a simulated fleet: those at the start, and those that come and go.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/fleet/detail/simulated_fleet.hpp"

namespace artel::fleet::detail {

// Of the workers at the start, which join now.
const dispatch::IndexedLoads& SimulatedFleet::first_loads() {
  for (std::size_t w = 0; w < scenario_.pool.speeds.size(); ++w) {
    const auto id = join_table(Instant{});
    ARTEL_REQUIRE(index(id) == w, "workers join in order", w);
    workers_.add();
  }
  return table_.loads();
}

// Those that come later are like the first.
std::uint32_t SimulatedFleet::bound_of(WorkerId id) const {
  const auto& pool = scenario_.pool;
  const std::size_t like = index(id) < pool.speeds.size() ? index(id) : 0;
  return std::max(queue_bound_.value_or(pool.queue_bounds[like]), pool.worker.places());
}

WorkerId SimulatedFleet::join_table(Instant now) {
  const auto& pool = scenario_.pool;
  const std::size_t like =
      table_.members().size() < pool.speeds.size() ? table_.members().size() : 0;
  const auto joined = table_.join({.capacity = bound_of(dispatch::worker(like)),
                                   .weight = static_cast<float>(pool.speeds[like])},
                                  now);
  ARTEL_REQUIRE(joined, "the fleet stays within its limits");
  return *joined;
}

bool SimulatedFleet::waits_alone() const {
  const bool nobody_else = !source_open_ || (users_ != nullptr && thinking_ == 0);
  return nobody_else && !held_.empty();
}

void SimulatedFleet::join() {
  const auto id = join_table(now());
  if (index(id) == workers_.size()) workers_.add();
  empty_cache(id);
  at(id).since = now();
  at(id).shut = 0;
  note_idle(id);
  outages_.joined(id);
  bind_held_soon();
}

// The worker with the fewest tasks, the last of several.
void SimulatedFleet::send_away() {
  std::optional<WorkerId> least;
  for (std::size_t w = 0; w < workers_.size(); ++w) {
    const auto id = dispatch::worker(w);
    if (!table_.members().working(id)) continue;
    if (!least || at(id).bound <= at(*least).bound) least = id;
  }
  ARTEL_REQUIRE(least.has_value(), "a fleet that is too large has a worker");
  table_.expel(*least, now());
  retire_if_gone(*least);
}

void SimulatedFleet::retire_if_gone(WorkerId id) {
  if (table_.members().working(id) || table_.members().leaving(id)) return;
  auto& worker = at(id);
  if (!worker.warm) cancel(worker.warming);
  outages_.retired(id);
  worker.warm = true;
  meter_.resized(now(), -1);
}

}  // namespace artel::fleet::detail
