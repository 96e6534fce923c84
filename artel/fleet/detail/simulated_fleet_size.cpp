// The workers of a simulated fleet: those at the start, and those that come and go.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/make_server.hpp"
#include "artel/fleet/detail/simulated_fleet.hpp"
#include "artel/random/stream.hpp"
#include "artel/scaling/fleet_sample.hpp"

namespace artel::fleet::detail {

std::vector<SimulatedFleet::FleetWorker> SimulatedFleet::first_workers() {
  std::vector<FleetWorker> workers;
  for (std::size_t w = 0; w < scenario_.pool.speeds.size(); ++w) {
    const auto id = join_table(Instant{});
    ARTEL_REQUIRE(index(id) == w, "workers join in order", w);
    workers.push_back(new_worker(id));
  }
  return workers;
}

SimulatedFleet::FleetWorker SimulatedFleet::new_worker(WorkerId id) const {
  const auto& pool = scenario_.pool;
  const std::uint64_t stream = (std::uint64_t{replication_} << 32U) + index(id);
  const random::Stream batches(scenario_.run.seed, "batches", stream);
  // Those that come later are like the others.
  const double speed =
      index(id) < pool.speeds.size() ? pool.speeds[index(id)] : pool.speeds.front();
  return {.server = make_server(pool.worker, batches),
          .speed = speed,
          .pace = speed,
          .fate = random::Stream(scenario_.run.seed, "fate", stream)};
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

// Those that leave are none of it any more.
std::uint32_t SimulatedFleet::size() const {
  return static_cast<std::uint32_t>(table_.members().size() + newcomers_.size());
}

void SimulatedFleet::on(const fleet_event::Look&) {
  if (over()) return;
  emit_self(fleet_event::Look{}, scaler_->period());
  const fleet_event::Resize decision{scaler_->sample(now())};
  if (scaler_->metric_delay() > Duration::zero()) {
    emit_self(decision, scaler_->metric_delay());
  } else {
    on(decision);
  }
}

void SimulatedFleet::on(const fleet_event::Resize& event) {
  auto sample = event.seen;
  sample.at = now();
  sample.workers = size();
  sample.ready = static_cast<std::uint32_t>(table_.members().size());
  const bool nobody_else = !source_open_ || (users_ != nullptr && thinking_ == 0);
  resize(scaler_->size_for(sample, nobody_else && !held_.empty()));
}

void SimulatedFleet::resize(std::uint32_t wanted) {
  while (size() > wanted) send_away();
  while (size() < wanted) {
    meter_.resized(now(), +1);
    const auto start_up = scaler_->start_up();
    if (start_up == Duration::zero()) {
      join();
      continue;
    }
    const auto order = ++newcomers_ever_;
    newcomers_.push_back({order, emit_self(fleet_event::WorkerReady{order}, start_up)});
  }
}

void SimulatedFleet::on(const fleet_event::WorkerReady& event) {
  std::erase_if(newcomers_, [&](const Newcomer& one) { return one.order == event.order; });
  join();
}

void SimulatedFleet::join() {
  const auto id = join_table(now());
  if (index(id) == workers_.size()) workers_.push_back(new_worker(id));
  empty_cache(id);
  at(id).since = now();
  at(id).known_down = false;
  at(id).shut = 0;
  note_idle(id);
  start_slowly(id);
  plan_failure(id);
  plan_speed(id);
  bind_held_soon();
}

// Whoever is on the way, the last first; else who has the fewest tasks, the last of several.
void SimulatedFleet::send_away() {
  if (!newcomers_.empty()) {
    cancel(newcomers_.back().join);
    newcomers_.pop_back();
    meter_.resized(now(), -1);
    return;
  }
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
  if (failures_.mtbf > Duration::zero()) cancel(worker.turn);
  if (!worker.warm) cancel(worker.warming);
  cancel(worker.next_speed);
  cancel(worker.up_to_speed);
  worker.down = 0;
  worker.warm = true;
  meter_.resized(now(), -1);
}

}  // namespace artel::fleet::detail
