#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/sync/idle_set.hpp"

namespace artel::pool::detail {

/// Measured work that is bound to one worker at most, where its queue has no bound of its own.
inline constexpr Duration kBoundWork = std::chrono::microseconds(100);

/// How many tasks may wait at a worker that has no bound of its own: about `kBoundWork` of measured
/// work, at least one if the worker is idle. Long tasks are bound only to idle workers; the others
/// wait in the common queue for whoever is free first.
[[nodiscard]] inline std::uint32_t automatic_bound(Duration service, bool busy,
                                                   std::uint32_t capacity) {
  const auto fit = kBoundWork / std::max(service, Duration{1});
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(fit, busy ? 0 : 1, capacity));
}

/// Tasks that may wait at the worker now.
[[nodiscard]] inline std::uint32_t waiting_bound(const WorkerSlot& slot, Duration service) {
  if (slot.bound != 0) return slot.bound;
  return automatic_bound(service, slot.busy.load(std::memory_order_relaxed), slot.ring.capacity());
}

/// The loads of a pool's workers, read without locks while they change: what policies choose by.
///
/// A worker whose queue takes nothing (closed, leaving, vacant) has capacity 0, and so do parked
/// workers while waking one would not pay.
/// Cost:    two or three cache lines per worker looked at, which are in our cache unless the worker
///          is at work.
/// Threads: any; see LoadView for what racy reads may lead to.
class LiveLoads : public dispatch::ScanningView<LiveLoads> {
 public:
  LiveLoads(const WorkerSlot* slots, std::size_t size, const sync::IdleSet& idle, Duration service,
            bool parked)
      : slots_(slots), size_(size), idle_(&idle), service_(service), parked_(parked) {}

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] dispatch::Load load(WorkerId id) const {
    const WorkerSlot& slot = slots_[index(id)];
    const bool busy = slot.busy.load(std::memory_order_relaxed);
    const std::uint32_t running = busy ? 1 : 0;
    const bool shown =
        slot.open.load(std::memory_order_relaxed) && (parked_ || !idle_->contains(id));
    return {.queued = slot.ring.size_approx() + running,
            .capacity = shown ? waiting_bound(slot, service_) + running : 0,
            .weight = slot.weight,
            .work = Duration{slot.work_ns.load(std::memory_order_relaxed)},
            .delay = slot.delay.get()};
  }

 private:
  const WorkerSlot* slots_;
  std::size_t size_;
  const sync::IdleSet* idle_;
  Duration service_;
  bool parked_;
};

static_assert(dispatch::LoadView<LiveLoads>);

}  // namespace artel::pool::detail
