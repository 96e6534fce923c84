#include "artel/pool/detail/wakeups.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "artel/core/cpu_quota.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/accounts.hpp"
#include "artel/pool/detail/common_queue.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/pool_queues.hpp"
#include "artel/pool/detail/room_line.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/priority.hpp"

namespace artel::pool::detail {
namespace {

// A wake-up costs the waker 2 to 12 us, and it takes some 30 us until the woken one runs.
constexpr Duration kWakeDelay = std::chrono::microseconds(30);
// Taking tasks from another worker costs both some cache misses.
constexpr Duration kWorthStealing = std::chrono::microseconds(5);

}  // namespace

Wakeups::Wakeups(PoolQueues& queues, const Accounts& accounts)
    : queues_(queues),
      accounts_(accounts),
      processors_(usable_cpus()),
      parking_(*this, queues.idle()) {}

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

bool Wakeups::processor_free() const { return awake_approx() < processors_; }

// ---- Workers

// It is busy before it runs: policies, and who looks for a helper, should not take it for a worker
// at rest.
void Wakeups::unpark(WorkerId id) {
  WorkerSlot& slot = queues_.slot(id);
  slot.busy.store(true);
  slot.owner.load()->unpark();  // L1: it cannot change before that one runs
}

bool Wakeups::helper_pays(WorkerId id) const {
  const std::size_t waiting = queues_.slot(id).ring.size_approx() + queues_.common().count();
  return wake_pays(static_cast<std::int64_t>(waiting) * accounts_.service());
}

bool Wakeups::common_helper_pays() const {
  return wake_pays(static_cast<std::int64_t>(queues_.common().count()) * accounts_.service());
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

void Wakeups::wake_admitted() {
  CommonQueue& common = queues_.common();
  common.wake_admitted(Priority::high);
  common.wake_admitted(Priority::low);
  if (waking_pays(common.count(Priority::normal), common.bound(), accounts_.service())) {
    common.wake_admitted(Priority::normal);
  }
}

}  // namespace artel::pool::detail
