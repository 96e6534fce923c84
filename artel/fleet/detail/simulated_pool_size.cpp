// How many workers a pool of threads has: see SimulatedPool.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/leaving.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/worker_capacity.hpp"
#include "artel/fleet/detail/simulated_pool.hpp"
#include "artel/scaling/timetable.hpp"
#include "artel/scenario/pool_settings.hpp"

namespace artel::fleet::detail {

// Those that come later are like the first.
dispatch::WorkerCapacity SimulatedPool::capacity_of(std::size_t worker,
                                                    const scenario::PoolSettings& pool) const {
  const std::size_t like = worker < pool.speeds.size() ? worker : 0;
  return {.capacity = queue_bound_.value_or(pool.queue_bounds[like]),
          .weight = static_cast<float>(pool.speeds[like])};
}

// As the timetable says, until its next entry.
void SimulatedPool::on(const pool_event::NextSize&) {
  const auto& scaling = scenario_.pool.scaling;
  ARTEL_REQUIRE(scaling.has_value(), "a timetable of sizes is part of scaling");
  const auto* table = std::get_if<scaling::Timetable>(&scaling->policy);
  ARTEL_REQUIRE(table != nullptr, "threads come and go by the clock");
  scaling::Timetable::State nothing;
  resize(table->size_for({.at = now()}, scaling->limits, nothing));
  const auto counts = dispatcher_.counts();
  const bool over = !source_open_ && counts.arrived == counts.finished + counts.rejected;
  if (const auto lasts = table->holds_for(now()); lasts < kForever && !over)
    emit_self(pool_event::NextSize{}, lasts);
}

void SimulatedPool::resize(std::uint32_t size) {
  while (dispatcher_.members().size() < size) {
    const auto joined = dispatcher_.join(capacity_of(workers_.size(), scenario_.pool), now());
    ARTEL_REQUIRE(joined, "the pool stays within its limits");
    if (index(*joined) == workers_.size()) {
      workers_.push_back({.speed = scenario_.pool.speeds.front(), .costs = false});
      depths_.push_back(0);
    }
    if (!std::exchange(workers_[index(*joined)].costs, true)) meter_.resized(now(), +1);
    wake(*joined);
  }
  for (auto w = workers_.size(); w-- > 0 && dispatcher_.members().size() > size;) {
    const auto id = dispatch::worker(w);
    if (!dispatcher_.members().working(id)) continue;
    const auto woken = dispatcher_.leave(id, dispatch::Leaving::drain, now());
    ARTEL_REQUIRE(woken, "who works can leave");
    retire_if_gone(id);
  }
}

// Once it has nothing left to do.
void SimulatedPool::retire_if_gone(WorkerId id) {
  if (dispatcher_.members().working(id) || dispatcher_.members().leaving(id)) return;
  if (std::exchange(workers_[index(id)].costs, false)) meter_.resized(now(), -1);
}

}  // namespace artel::fleet::detail
