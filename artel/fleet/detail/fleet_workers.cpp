#include "artel/fleet/detail/fleet_workers.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/make_server.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {

void FleetWorkers::add() {
  const auto& pool = scenario_.pool;
  const std::uint64_t stream = (std::uint64_t{replication_} << 32U) + workers_.size();
  const double speed =
      workers_.size() < pool.speeds.size() ? pool.speeds[workers_.size()] : pool.speeds.front();
  const random::Stream batches(scenario_.run.seed, "batches", stream);
  workers_.push_back({.server = make_server(pool.worker, batches),
                      .speed = speed,
                      .pace = speed,
                      .fate = random::Stream(scenario_.run.seed, "fate", stream)});
}

void FleetWorkers::change(FleetWorker& worker) {
  const Instant now = events_.now();
  worker.change_at = kNever;
  worker.since = now;
  const double moment = 0.5e-9 * worker.rate();
  do {  // what ends in one nanosecond ends together, however it was rounded
    worker.server->change(now, news_);
  } while (worker.server->until_change() < moment);
}

void FleetWorkers::schedule(WorkerId id) {
  auto& worker = at(id);
  const Instant now = events_.now();
  Instant change = kNever;
  const double left = worker.server->until_change();
  const double rate = worker.rate();
  if (rate > 0 && left < std::numeric_limits<double>::infinity())
    change = later(now, from_seconds(left / rate));
  if (change != worker.change_at) {
    if (worker.change_at != kNever) events_.cancel(worker.change);
    if (change != kNever)
      worker.change = events_.emit_self(fleet_event::ServerChange{id}, change - now);
    worker.change_at = change;
  }
  const auto wake = worker.server->wakes_at().value_or(kNever);
  if (wake != worker.wake_at) {
    if (worker.wake_at != kNever) events_.cancel(worker.wake);
    if (wake != kNever)
      worker.wake = events_.emit_self(fleet_event::ServerWake{id}, std::max(wake, now) - now);
    worker.wake_at = wake;
  }
}

}  // namespace artel::fleet::detail
