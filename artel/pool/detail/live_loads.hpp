#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/automatic_bound.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/sync/idle_set.hpp"

namespace artel::pool::detail {

/// Tasks that may wait at the worker now.
[[nodiscard]] inline std::uint32_t waiting_bound(const WorkerSlot& slot, Duration service) {
  if (slot.bound != 0) return slot.bound;
  return dispatch::automatic_bound(service, slot.busy.load(std::memory_order_relaxed),
                                   slot.ring.capacity());
}

/// Hinted service that the worker has still to do, at its speed. What runs longer than its hint
/// counts as about to end.
[[nodiscard]] inline Duration work_left(const WorkerSlot& slot, Instant now) {
  constexpr Duration kMost = Duration::max() / 4;  // hints beyond say nothing more
  const Duration work{slot.work_ns.load(std::memory_order_relaxed)};
  const Instant ends{Duration{slot.ends_ns.load(std::memory_order_relaxed)}};
  const auto waiting = slot.at_speed(std::clamp(work, Duration{}, kMost));
  return std::min(waiting, kMost) + std::clamp(ends - now, Duration{}, kMost);
}

/// The loads of a pool's workers, read without locks while they change: what policies choose by.
///
/// A worker whose queue takes nothing (closed, leaving, vacant) has capacity 0, and so do parked
/// workers while waking one would not pay.
/// Cost:    two or three cache lines per worker looked at, which are in our cache unless the worker
///          is at work.
/// Threads: any; see LoadView for what racy reads may lead to.
template <dispatch::PolicyInputs kFetched>
class LoadsOfSlots : public dispatch::ScanningView<LoadsOfSlots<kFetched>> {
 public:
  /// `now` is only asked for where work is.
  LoadsOfSlots(const WorkerSlot* slots, std::size_t size, const sync::IdleSet& idle,
               Duration service, bool parked, Instant now)
      : slots_(slots), size_(size), idle_(&idle), service_(service), parked_(parked), now_(now) {}

  /// The same loads for a policy that reads these fields only.
  template <dispatch::PolicyInputs kRead>
  [[nodiscard]] LoadsOfSlots<kRead> reading() const {
    return {slots_, size_, *idle_, service_, parked_, now_};
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] dispatch::Load load(WorkerId id) const {
    using enum dispatch::PolicyInput;
    const WorkerSlot& slot = slots_[index(id)];
    const bool busy = slot.busy.load(std::memory_order_relaxed);
    const std::uint32_t running = busy ? 1 : 0;
    const bool shown =
        slot.open.load(std::memory_order_relaxed) && (parked_ || !idle_->contains(id));
    dispatch::Load load{.queued = slot.ring.size_approx() + running,
                        .capacity = shown ? waiting_bound(slot, service_) + running : 0};
    if constexpr (kFetched.has(weight)) load.weight = slot.weight;
    if constexpr (kFetched.has(work)) load.work = work_left(slot, now_);
    if constexpr (kFetched.has(delay)) load.delay = slot.delay.get();
    if constexpr (kFetched.has(latency)) {
      const auto answers = slot.latency.get();
      load.latency = answers.value;
      load.heard = answers.heard;
    }
    if constexpr (kFetched.has(failures))
      load.failures = slot.failures.load(std::memory_order_relaxed);
    return load;
  }

 private:
  const WorkerSlot* slots_;
  std::size_t size_;
  const sync::IdleSet* idle_;
  Duration service_;
  bool parked_;
  Instant now_;
};

using LiveLoads = LoadsOfSlots<dispatch::PolicyInputs::all()>;

static_assert(dispatch::LoadView<LiveLoads>);

}  // namespace artel::pool::detail
