#include "artel/pool/detail/wakeups.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "artel/core/cpu_quota.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/accounts.hpp"
#include "artel/pool/detail/common_queue.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/pool_queues.hpp"
#include "artel/pool/detail/worker.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/priority.hpp"
#include "artel/sync/idle_set.hpp"

namespace artel::pool::detail {
namespace {

// A wake-up costs the waker 2 to 12 us, and it takes some 30 us until the woken one runs.
constexpr Duration kWakeDelay = std::chrono::microseconds(30);
// Taking tasks from another worker costs both some cache misses.
constexpr Duration kWorthStealing = std::chrono::microseconds(5);

}  // namespace

Wakeups::Wakeups(PoolQueues& queues, const Accounts& accounts)
    : queues_(queues), accounts_(accounts), processors_(usable_cpus()) {}

// ---- Whether it pays

std::size_t Wakeups::awake_approx() const {
  const std::size_t open = queues_.open_count();
  const std::size_t idle = queues_.idle().count_approx();
  return open > idle ? open - idle : 0;
}

bool Wakeups::wake_pays(Duration backlog) const {
  const std::size_t awake = awake_approx();
  const Duration service = accounts_.service();
  if (awake == 0 || service >= kLong || service == Duration::zero()) return true;
  return awake < std::min<std::size_t>(processors_, queues_.open_count()) && backlog > kWakeDelay;
}

bool Wakeups::stealing_pays(std::uint32_t waiting, const WorkerSlot& thief) const {
  const Duration service = accounts_.service();
  if (service >= kLong || service == Duration::zero()) return true;
  // With the thief, whether it is awake or about to park: else it would find that it may steal when
  // it is about to park, that it may not when it is awake, and never do either.
  const std::size_t awake = awake_approx() + (queues_.idle().contains(thief.id) ? 1 : 0);
  return waiting * service >= kWorthStealing && awake <= processors_;
}

bool Wakeups::spinning_pays() const { return awake_approx() < processors_; }

// ---- Workers

// By whoever took the worker out of the idle set, and so owns its wake-up (P2). It is busy before
// it runs: policies, and consider_helper(), should not take it for a worker at rest.
void Wakeups::unpark(WorkerSlot& slot) {
  slot.busy.store(true);
  slot.owner.load()->unpark();  // L1: it cannot change before that one runs
}

void Wakeups::wake(WorkerSlot& slot) {
  if (queues_.idle().claim(slot.id)) unpark(slot);
}

// False: none is parked.
bool Wakeups::wake_any() {
  const auto id = queues_.idle().claim_any();
  if (id) unpark(queues_.slot(*id));
  return id.has_value();
}

void Wakeups::wake_all() {
  while (wake_any()) {
  }
}

void Wakeups::after_common() {
  if (queues_.idle().any()) wake_if_it_pays(queues_.common().count());
}

void Wakeups::consider_helper(const WorkerSlot& slot) {
  // It is awake and in no task: it will look before it parks (P3), and if it takes a task it will
  // look whether there is more after having said that it is busy (P4).
  if (!slot.busy.load()) return;
  wake_if_it_pays(slot.ring.size_approx() + queues_.common().count());
}

void Wakeups::wake_if_it_pays(std::size_t waiting) {
  if (wake_pays(static_cast<std::int64_t>(waiting) * accounts_.service())) {
    static_cast<void>(wake_any());
  } else {
    summon_watchdog();
  }
}

void Wakeups::summon_watchdog() {
  do {
    if (watchdog_.present() || !watchdog_.summon() || wake_any()) return;
    // The summons reached nobody: it is taken back (P6).
    watchdog_.answer();
    // Meanwhile somebody may have parked without taking the role: it seemed to be taken.
  } while (queues_.idle().any());
}

std::size_t Wakeups::put_back(std::span<Job> jobs) noexcept {
  const std::size_t count = jobs.empty() ? 0 : queues_.common().put_back(jobs);
  if (count > 0) wake_all();
  return count;
}

void Wakeups::reclaim(WorkerSlot& slot) noexcept {
  queues_.common().put_back(slot.ring);
  wake_all();
}

// ---- Submitters

void Wakeups::offer_room() {
  const CommonQueue& common = queues_.common();
  const auto free = [&](Priority priority) {
    const std::size_t queued = common.count(priority);
    return common.bound() > queued ? common.bound() - queued : 0;
  };
  const bool none = common.bound() == 0;  // they all wait for room at workers
  if (none || free(Priority::high) > 0) room_.call_first(Priority::high);
  // For short tasks there must be places for as much work as a wake-up costs, or half of all: a
  // submitter that came back for each place would cost more than the tasks.
  const auto worth = 2 * kWakeDelay / std::max(accounts_.service(), Duration{1});
  const auto enough = std::min<std::size_t>(static_cast<std::size_t>(worth), common.bound() / 2);
  if (free(Priority::normal) >= enough) room_.call_first(Priority::normal);
  if (none || free(Priority::low) > 0) room_.call_first(Priority::low);
}

}  // namespace artel::pool::detail
