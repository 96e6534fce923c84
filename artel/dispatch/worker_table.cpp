#include "artel/dispatch/worker_table.hpp"

#include <cstdint>
#include <optional>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/chooser.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/controller.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/maglev.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/weighted_round_robin.hpp"
#include "artel/dispatch/worker_capacity.hpp"

namespace artel::dispatch {
namespace {

Needs with_idle(Needs needs, bool idle) {
  needs.idle |= idle;
  return needs;
}

}  // namespace

WorkerTable::WorkerTable(Policy policy, SizeLimits limits, std::uint64_t seed, bool track_idle)
    : chooser_(std::move(policy)),
      draws_(SplitMix64(seed)),
      loads_(with_idle(chooser_.needs(), track_idle)),
      members_(limits) {
  if (const ClosedLoop* loop = closed_loop()) controller_.emplace(*loop);
}

std::optional<WorkerId> WorkerTable::decide(const TaskHints& task) {
  return draws_.decide(chooser(), loads_, task, loads_.now());
}

Result<WorkerId> WorkerTable::join(const WorkerCapacity& options, Instant now) {
  const auto id = members_.join();
  if (!id) return id;
  loads_.advance(now);
  loads_.resize(members_.ids());
  loads_.set(*id, Load{.capacity = options.capacity, .weight = options.weight});
  if (controller_) controller_->join(*id, options.weight, now);
  changed_ = now;
  return id;
}

Result<void> WorkerTable::leave(WorkerId id, Instant now) {
  if (const auto left = members_.leave(id); !left) return left;
  shut(id, now);
  return {};
}

void WorkerTable::expel(WorkerId id, Instant now) {
  members_.expel(id);
  shut(id, now);
}

void WorkerTable::set_capacity(WorkerId id, std::uint32_t capacity, Instant now) {
  loads_.advance(now);
  Load load = loads_.load(id);
  load.capacity = capacity;
  loads_.set(id, load);
  changed_ = now;
}

void WorkerTable::shut(WorkerId id, Instant now) {
  set_capacity(id, 0, now);
  if (controller_) controller_->leave(id);
  free_if_gone(id);
}

void WorkerTable::publish_members(Instant changed) {
  if (needs().cycle) chooser_.publish(weighted_cycle_of(loads_));
  if (needs().places > 0) chooser_.publish(maglev_table_of(loads_, needs().places));
  if (controller_) chooser_.publish(controller_->publish(changed));
  changed_.reset();
}

void WorkerTable::report(const BeaconReport& report) {
  if (controller_) controller_->report(report);
}

void WorkerTable::publish(Instant now) {
  if (!controller_) return;
  chooser_.publish(controller_->publish(now));
  changed_.reset();
}

double WorkerTable::share(WorkerId id) const {
  const Published published = chooser_.published();
  return published.shares ? published.shares->share(id) : 0;
}

}  // namespace artel::dispatch
