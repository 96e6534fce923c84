#include "artel/cluster/detail/worker_queues.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/cluster/protocol.hpp"
#include "artel/cluster/subjects.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/controller.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/shares.hpp"
#include "artel/dispatch/weighted_round_robin.hpp"

namespace artel::cluster::detail {

WorkerQueues::WorkerQueues(dispatch::Policy policy, std::uint32_t per_worker, std::uint64_t seed)
    : policy_(std::move(policy)),
      needs_(dispatch::needs(policy_)),
      per_worker_(per_worker),
      dice_state_(seed),
      loads_(needs_),
      members_({}) {
  if (const auto* loop = std::get_if<dispatch::ClosedLoop>(&policy_)) {
    loop_.emplace(Loop{.options = *loop, .controller = dispatch::Controller(*loop), .shares = {}});
  }
}

// ---- Workers

void WorkerQueues::join(const std::string& worker, std::uint32_t threads, Instant now) {
  const std::lock_guard guard(lock_);
  if (ids_.contains(worker)) return;
  const auto id = members_.join();
  if (!id) return;  // of as many as there are numbers
  workers_.resize(std::max(workers_.size(), members_.ids()));
  workers_[index(*id)] = {.name = worker, .beacon = {}};
  ids_.emplace(worker, *id);
  const std::uint32_t width = std::max(threads, 1U);
  const auto weight = static_cast<float>(width);
  loads_.resize(members_.ids());
  loads_.set(*id, {.capacity = per_worker_ + width - 1, .weight = weight});
  if (loop_) loop_->controller.join(*id, weight, now);
  members_changed(now);
}

std::vector<ChunkAddress> WorkerQueues::leave(const std::string& worker, Instant now) {
  const std::lock_guard guard(lock_);
  const auto known = ids_.find(worker);
  if (known == ids_.end()) return {};
  const WorkerId id = known->second;
  std::vector<ChunkAddress> left;
  for (const auto& [chunk, placed] : placed_) {
    if (placed.worker == id) left.push_back(chunk);
  }
  for (const ChunkAddress& chunk : left) unbind(chunk, now);
  ids_.erase(known);
  loads_.set(id, {.capacity = 0});
  if (loop_) loop_->controller.leave(id);
  static_cast<void>(members_.leave(id));  // there is no minimum
  members_.gone(id);
  members_changed(now);
  return left;
}

bool WorkerQueues::has(const std::string& worker) const {
  const std::lock_guard guard(lock_);
  return ids_.contains(worker);
}

std::vector<std::string> WorkerQueues::workers() const {
  const std::lock_guard guard(lock_);
  std::vector<std::string> names;
  names.reserve(ids_.size());
  for (const auto& [name, id] : ids_) names.push_back(name);
  return names;
}

void WorkerQueues::members_changed(Instant now) {
  if (needs_.cycle) cycle_ = dispatch::weighted_cycle_of(loads_);
  if (loop_) loop_->shares = loop_->controller.publish(now);
}

// ---- Chunks

std::optional<std::string> WorkerQueues::place(const ChunkAddress& chunk, Duration size,
                                               Instant now) {
  const std::lock_guard guard(lock_);
  loads_.advance(now);
  dispatch::Draw draw{.turn = turn_,
                      .size = size,
                      .shares = loop_ ? &loop_->shares : nullptr,
                      .cycle = needs_.cycle ? &cycle_ : nullptr};
  if (needs_.dice) draw.dice = dispatch::splitmix64(dice_state_);
  const auto id = dispatch::choose(policy_, loads_, draw);
  if (!id) return std::nullopt;
  ++turn_;
  unbind(chunk, now);
  loads_.bind(*id, size);
  placed_.insert_or_assign(chunk, Placed{*id, size});
  return workers_[index(*id)].name;
}

void WorkerQueues::let_go(const ChunkAddress& chunk, Instant now) {
  const std::lock_guard guard(lock_);
  unbind(chunk, now);
}

std::size_t WorkerQueues::placed() const {
  const std::lock_guard guard(lock_);
  return placed_.size();
}

void WorkerQueues::unbind(const ChunkAddress& chunk, Instant now) {
  const auto at = placed_.find(chunk);
  if (at == placed_.end()) return;
  loads_.advance(now);
  loads_.unbind(at->second.worker, at->second.size);
  placed_.erase(at);
}

// ---- The closed loop

std::vector<WorkerQueues::Sending> WorkerQueues::due_beacons(Instant now, Duration patience) {
  const std::lock_guard guard(lock_);
  std::vector<Sending> due;
  if (!loop_ || now < loop_->next_beacons) return due;
  loop_->next_beacons = later(now, loop_->options.beacon_every);
  for (const auto& [name, id] : ids_) {
    Worker& worker = workers_[index(id)];
    if (worker.beacon && now - worker.beacon_sent < patience) continue;
    worker.beacon = ++loop_->beacons;
    worker.beacon_sent = now;
    due.push_back({name, *worker.beacon});
  }
  return due;
}

void WorkerQueues::beacon_came(const BeaconAnswer& answer, Instant now) {
  const std::lock_guard guard(lock_);
  const auto known = ids_.find(answer.worker);
  if (!loop_ || known == ids_.end()) return;
  Worker& worker = workers_[index(known->second)];
  if (worker.beacon != answer.number) return;  // an earlier one, or a copy
  worker.beacon.reset();
  loop_->controller.report({.worker = known->second,
                            .queued = answer.queued,
                            .committed = answer.done - std::min(worker.done, answer.done),
                            .sent = worker.beacon_sent,
                            .back = now});
  worker.done = answer.done;
}

void WorkerQueues::tick(Instant now) {
  const std::lock_guard guard(lock_);
  if (!loop_ || now < loop_->next_shares) return;
  loop_->next_shares = later(now, loop_->options.publish_every);
  loop_->shares = loop_->controller.publish(now);
}

Duration WorkerQueues::interval() const {
  const auto* loop = std::get_if<dispatch::ClosedLoop>(&policy_);
  return loop == nullptr ? kForever : std::min(loop->beacon_every, loop->publish_every);
}

double WorkerQueues::share(const std::string& worker) const {
  const std::lock_guard guard(lock_);
  const auto known = ids_.find(worker);
  return loop_ && known != ids_.end() ? loop_->shares.share(known->second) : 0;
}

}  // namespace artel::cluster::detail
