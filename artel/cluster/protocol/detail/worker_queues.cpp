#include "artel/cluster/protocol/detail/worker_queues.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/protocol/beacon_request.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::cluster::detail {

WorkerQueues::WorkerQueues(dispatch::Policy policy, std::uint32_t per_worker, std::uint64_t seed)
    : per_worker_(per_worker), table_(std::move(policy), dispatch::SizeLimits{}, seed) {}

// ---- Workers

void WorkerQueues::join(const std::string& worker, std::uint32_t threads, Instant now) {
  if (ids_.contains(worker)) return;
  const std::uint32_t width = std::max(threads, 1U);
  const auto id =
      table_.join({.capacity = per_worker_ + width - 1, .weight = static_cast<float>(width)}, now);
  if (!id) return;  // of as many as there are numbers
  workers_.resize(table_.members().ids());
  workers_[index(*id)] = {.name = worker, .beacon = {}};
  ids_.emplace(worker, *id);
  table_.renew();
}

std::vector<ChunkAddress> WorkerQueues::leave(const std::string& worker, Instant now) {
  const auto known = ids_.find(worker);
  if (known == ids_.end()) return {};
  const WorkerId id = known->second;
  std::vector<ChunkAddress> left;
  for (const auto& [chunk, placed] : placed_) {
    if (placed.worker == id) left.push_back(chunk);
  }
  for (const ChunkAddress& chunk : left) unbind(chunk, now);
  ids_.erase(known);
  static_cast<void>(table_.leave(id, now));  // there is no minimum
  table_.renew();
  return left;
}

bool WorkerQueues::has(const std::string& worker) const { return ids_.contains(worker); }

std::vector<std::string> WorkerQueues::workers() const {
  std::vector<std::string> names;
  names.reserve(ids_.size());
  for (const auto& [name, id] : ids_) names.push_back(name);
  return names;
}

// ---- Chunks

std::optional<std::string> WorkerQueues::place(const ChunkAddress& chunk, Duration size,
                                               Instant now) {
  table_.advance(now);
  if (!table_.open()) return std::nullopt;
  const auto id = table_.choose(table_.draw(size));
  if (!id) return std::nullopt;
  unbind(chunk, now);
  table_.bind(*id, size);
  placed_.insert_or_assign(chunk, Placed{*id, size, now});
  return workers_[index(*id)].name;
}

void WorkerQueues::let_go(const ChunkAddress& chunk, Instant now) { unbind(chunk, now); }

void WorkerQueues::answered(const ChunkAddress& chunk, Instant now) {
  const auto at = placed_.find(chunk);
  if (at == placed_.end()) return;
  table_.advance(now);
  table_.answered(at->second.worker, now - at->second.since);
}

std::size_t WorkerQueues::placed() const { return placed_.size(); }

void WorkerQueues::unbind(const ChunkAddress& chunk, Instant now) {
  const auto at = placed_.find(chunk);
  if (at == placed_.end()) return;
  table_.advance(now);
  table_.unbind(at->second.worker, at->second.size);
  placed_.erase(at);
}

// ---- The closed loop

std::vector<WorkerQueues::Sending> WorkerQueues::due_beacons(Instant now, Duration patience) {
  std::vector<Sending> due;
  const dispatch::ClosedLoop* loop = table_.closed_loop();
  if (loop == nullptr || now < next_beacons_) return due;
  next_beacons_ = later(now, loop->beacon_every);
  for (const auto& [name, id] : ids_) {
    RemoteWorker& worker = workers_[index(id)];
    if (worker.beacon && now - worker.beacon_sent < patience) continue;
    worker.beacon = ++beacons_;
    worker.beacon_sent = now;
    due.push_back({name, *worker.beacon});
  }
  return due;
}

bool WorkerQueues::beacon_came(const BeaconAnswer& answer, Instant now) {
  const auto known = ids_.find(answer.worker);
  if (known == ids_.end()) return false;
  RemoteWorker& worker = workers_[index(known->second)];
  if (worker.beacon != answer.number) return false;  // an earlier one, or a copy
  worker.beacon.reset();
  table_.report({.worker = known->second,
                 .queued = answer.queued,
                 .committed = answer.done - std::min(worker.done, answer.done),
                 .sent = worker.beacon_sent,
                 .back = now});
  worker.done = answer.done;
  return true;
}

void WorkerQueues::tick(Instant now) {
  const dispatch::ClosedLoop* loop = table_.closed_loop();
  if (loop == nullptr || now < next_shares_) return;
  next_shares_ = later(now, loop->publish_every);
  table_.publish(now);
}

Duration WorkerQueues::interval() const {
  const dispatch::ClosedLoop* loop = table_.closed_loop();
  return loop == nullptr ? kForever : std::min(loop->beacon_every, loop->publish_every);
}

double WorkerQueues::share(const std::string& worker) const {
  const auto known = ids_.find(worker);
  return known != ids_.end() ? table_.share(known->second) : 0;
}

}  // namespace artel::cluster::detail
