// Waking: when, and whom (parker.hpp has the protocol).
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/sync/idle_set.hpp"

namespace artel::pool::detail {
namespace {

// A wake-up costs the waker 2 to 12 us, and it takes some 30 us until the woken one runs.
constexpr Duration kWakeDelay = std::chrono::microseconds(30);
// Taking tasks from another worker costs both some cache misses.
constexpr Duration kWorthStealing = std::chrono::microseconds(5);

}  // namespace

std::size_t PoolCore::awake_approx() const {
  const std::size_t open = open_count();
  const std::size_t idle = idle_.count_approx();
  return open > idle ? open - idle : 0;
}

bool PoolCore::wake_pays(Duration backlog) const {
  const std::size_t awake = awake_approx();
  const Duration service = this->service();
  if (awake == 0 || service >= kLong || service == Duration::zero()) return true;
  return awake < std::min<std::size_t>(processors_, open_count()) && backlog > kWakeDelay;
}

bool PoolCore::stealing_pays(std::uint32_t waiting, const WorkerSlot& thief) const {
  const Duration service = this->service();
  if (service >= kLong || service == Duration::zero()) return true;
  // With the thief, whether it is awake or about to park: else it would find that it may steal when
  // it is about to park, that it may not when it is awake, and never do either.
  const std::size_t awake = awake_approx() + (idle_.contains(thief.id) ? 1 : 0);
  return waiting * service >= kWorthStealing && awake <= processors_;
}

bool PoolCore::spinning_pays() const { return awake_approx() < processors_; }

void PoolCore::unpark(WorkerSlot& slot) {
  slot.busy.store(true);
  slot.parker.unpark();
}

void PoolCore::wake(WorkerSlot& slot) {
  if (idle_.claim(slot.id)) unpark(slot);
}

bool PoolCore::wake_any() {
  const auto id = idle_.claim_any();
  if (id) unpark(slots_[index(*id)]);
  return id.has_value();
}

void PoolCore::summon_watchdog() {
  do {
    if (watchdog_.present() || !watchdog_.summon() || wake_any()) return;
    watchdog_.answer();
    // Meanwhile somebody may have parked without taking the role: it seemed to be taken.
  } while (idle_.any());
}

void PoolCore::wake_all() {
  while (const auto id = idle_.claim_any()) unpark(slots_[index(*id)]);
}

void PoolCore::offer_room() {
  // Submitters of short tasks come back when the common queue is empty, and can place tasks at
  // workers again; with long ones that would leave workers idle meanwhile.
  const std::size_t left = service() < kLong ? 0 : common_.bound() / 2;
  if (common_.count() <= left) room_.notify_all();
}

void PoolCore::consider_helper(const WorkerSlot& slot) {
  // It is awake and in no task: it will look before it parks (P3), and if it takes a task it will
  // look whether there is more after having said that it is busy (P4).
  if (!slot.busy.load()) return;
  wake_if_it_pays(slot.ring.size_approx() + common_.count());
}

void PoolCore::wake_if_it_pays(std::size_t waiting) {
  if (wake_pays(static_cast<std::int64_t>(waiting) * service())) {
    static_cast<void>(wake_any());
  } else {
    summon_watchdog();
  }
}

}  // namespace artel::pool::detail
