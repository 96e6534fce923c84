// Pool::stats(): what is read of every part of a pool.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/detail/worker_threads.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_stats.hpp"

namespace artel::pool {
namespace {

void read_busy_time(WorkerStats& stats, const detail::WorkerSlot& slot, std::int64_t now_ns) {
  const auto started = slot.started_ns.load(std::memory_order_relaxed);
  const auto alive = now_ns - started;
  if (started == 0 || alive <= 0) return;
  auto idle = slot.idle_ns.load(std::memory_order_relaxed);
  if (const auto since = slot.idle_since_ns.load(std::memory_order_relaxed); since != 0) {
    idle += now_ns - since;
  }
  stats.busy_time = Duration{std::max<std::int64_t>(0, alive - idle)};
  stats.busy_share = static_cast<double>(stats.busy_time.count()) / static_cast<double>(alive);
}

void read_beacons(WorkerStats& stats, const detail::WorkerSlot& slot, std::int64_t now_ns) {
  const auto since = [now_ns](std::int64_t then_ns) {
    return Duration{std::max<std::int64_t>(0, now_ns - then_ns)};
  };
  const auto seen = slot.beacon_seen_ns.load(std::memory_order_relaxed);
  const auto sent = slot.beacon_sent_ns.load(std::memory_order_relaxed);
  stats.beacon_seen = seen != 0;
  if (seen != 0) stats.beacon_age = since(seen);
  if (sent != 0) stats.beacon_wait = since(sent);
  stats.beacon_gap = Duration{slot.beacon_gap_ns.load(std::memory_order_relaxed)};
}

WorkerStats stats_of(const detail::WorkerSlot& slot, std::int64_t now_ns) {
  WorkerStats stats;
  stats.outcomes = slot.counts.read();
  stats.queued = slot.ring.size_approx();
  stats.busy = slot.busy.load(std::memory_order_relaxed);
  stats.open = slot.open.load(std::memory_order_relaxed);
  read_busy_time(stats, slot, now_ns);
  stats.stalls = slot.stalls.load(std::memory_order_relaxed);
  read_beacons(stats, slot, now_ns);
  slot.measured.merge_into(stats.queue_delay_ns, stats.service_ns);
  return stats;
}

void add(WorkerStats& total, const WorkerStats& part) {
  total.outcomes.add(part.outcomes);
  total.queued += part.queued;
  total.stalls += part.stalls;
  total.busy_time += part.busy_time;
  total.queue_delay_ns.merge(part.queue_delay_ns);
  total.service_ns.merge(part.service_ns);
}

}  // namespace

PoolStats Pool::stats() const {
  PoolStats stats;
  const std::int64_t now_ns = steady_now().time_since_epoch().count();
  stats.outside.outcomes = core_.accounts.outside_counts().read();
  core_.accounts.outside_measured().merge_into(stats.outside.queue_delay_ns,
                                               stats.outside.service_ns);
  add(stats.total, stats.outside);
  std::size_t open = 0;
  for (const detail::WorkerSlot& slot : core_.queues.slots()) {
    const WorkerStats& worker = stats.workers.emplace_back(stats_of(slot, now_ns));
    add(stats.total, worker);
    if (!worker.open) continue;
    ++open;
    stats.total.busy_share += worker.busy_share;
  }
  if (open > 0) stats.total.busy_share /= static_cast<double>(open);
  stats.total.busy = stats.total.busy_share > 0;
  stats.queued_common = core_.queues.common().queued();
  stats.queued_over_most = core_.queues.common().most_over();
  stats.over_bound = submission_.over_bound();
  stats.total.queued += stats.queued_common;
  stats.accepted = core_.queues.accepted();
  stats.refused = submission_.refused();
  stats.threads = threads_.thread_count();
  return stats;
}

}  // namespace artel::pool
