// Submitting: where a task goes.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/shares.hpp"
#include "artel/pool/detail/common_queue.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_ring.hpp"
#include "artel/pool/detail/live_loads.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/detail/tick_clock.hpp"
#include "artel/pool/detail/worker.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/sync/blocking.hpp"
#include "artel/sync/futex.hpp"

namespace artel::pool::detail {
namespace {

// Tasks shorter than this are placed several at a time, and measured one in several.
constexpr Duration kShort = std::chrono::microseconds(5);
constexpr Duration kVeryShort = std::chrono::nanoseconds(300);
constexpr std::uint32_t kBudgetMin = 8;
constexpr std::uint32_t kBudgetSpread = 16;
// A decision looks at lines that the workers write, and measuring takes some 150 ns: too much
// beside very short tasks.
constexpr std::uint32_t kBudgetOfVeryShort = 4;  // times as many

// The distribution that this thread saw last, so that sampling it takes no lock.
struct SeenShares {
  std::uint64_t pool = 0;
  std::uint64_t version = 0;
  std::shared_ptr<const dispatch::Shares> shares;
};
thread_local SeenShares seen_shares;

}  // namespace

void PoolCore::bind_to_pool(Producer& producer) {
  producer = {.pool = number_,
              .period = 1,
              .dice = static_cast<std::uint64_t>(options_.seed) +
                      0x9E3779B97F4A7C15U * producers_.fetch_add(1)};
}

TaskTimes PoolCore::times(Producer& producer, bool measured) {
  TaskTimes times;
  times.recorded = recording() ? 1 : 0;
  times.submitted = time_for(times);
  times.queued_worker = producer.waiting_there & TaskTimes::kQueuedWorkerMax;
  times.queued_common = producer.waiting_common & TaskTimes::kQueuedCommonMax;
  if (!measured) {
    times.weight = 0;
    ++producer.unmeasured;
    return times;
  }
  constexpr std::uint32_t kWeightMax = std::numeric_limits<std::uint16_t>::max();
  times.weight = std::min(producer.unmeasured + 1, kWeightMax) & kWeightMax;
  producer.unmeasured = 0;
  producer.period = observer_ == nullptr ? std::max(tasks_at_once(producer), 1U) : 1;
  return times;
}

Admission PoolCore::admit_unrecorded(Job& job, Priority priority, Duration size, Instant until) {
  if (const auto admission = try_admit(job, priority, size)) return *admission;
  if (until == Instant::min()) return Admission::full;
  if (!sync::before_block() && slot_of_this_worker(*this) != nullptr) {
    // The last worker that could make room must not wait for it.
    return common_.force(priority, job) ? Admission::accepted : Admission::closed;
  }
  std::optional<Admission> admission;
  room_.wait(until, [&] {
    admission = try_admit(job, priority, size);
    return admission.has_value();
  });
  return admission.value_or(Admission::late);
}

// Nothing: no room now.
std::optional<Admission> PoolCore::try_admit(Job& job, Priority priority, Duration size) {
  if (priority != Priority::normal && common_.bound() > 0) return into_common(job, priority);
  Producer& mine = producer();
  constexpr int kTries = 4;
  const bool nested = open_home() != nullptr;
  for (int i = 0; i < kTries && (nested || common_.count(Priority::normal) == 0); ++i) {
    WorkerSlot* const slot = decide(mine, size);
    if (slot == nullptr) {
      if (nested || mine.slot == nullptr || !soon_has_room(*mine.slot)) break;
      continue;
    }
    bind(job, *slot, mine);
    switch (slot->ring.try_push(mine.limit, job)) {
      case JobRing::Pushed::ok:
        after_push(*slot, mine.no_wake);
        return Admission::accepted;
      case JobRing::Pushed::closed:
        if (closed()) return Admission::closed;
        [[fallthrough]];
      case JobRing::Pushed::full:
      case JobRing::Pushed::busy:
        mine.budget = 0;
        break;
    }
  }
  return into_common(job, Priority::normal);
}

// Queues full of very short tasks empty in less time than the detour over the common queue costs
// everybody; and a queue with some room again lets both ends work apart.
bool PoolCore::soon_has_room(const WorkerSlot& slot) const {
  constexpr int kLooks = 200;
  constexpr int kPauses = 8;  // about 20 us in all
  if (slot.bound != 0 || service() > kVeryShort) {
    return false;
  }
  for (int i = 0; i < kLooks; ++i) {
    if (slot.ring.size_approx() < slot.ring.capacity() * 3 / 4) return true;
    for (int k = 0; k < kPauses; ++k) sync::relax();
  }
  return false;
}

std::optional<Admission> PoolCore::into_common(Job& job, Priority priority) {
  if (TaskTimes* const times = job.times()) {
    times->priority = static_cast<std::uint64_t>(priority) & 3U;
    times->queued_worker = 0;
    times->queued_common = std::min<std::uint64_t>(common_.count(), TaskTimes::kQueuedCommonMax) &
                           TaskTimes::kQueuedCommonMax;
  }
  switch (common_.push(priority, job)) {
    case CommonQueue::Pushed::full:
      return std::nullopt;
    case CommonQueue::Pushed::closed:
      return Admission::closed;
    case CommonQueue::Pushed::ok:
      break;
  }
  if (idle_.any()) wake_if_it_pays(common_.count());
  return Admission::accepted;
}

// The slot of the worker we are on, unless it is leaving.
WorkerSlot* PoolCore::open_home() const {
  WorkerSlot* const home = slot_of_this_worker(*this);
  return home != nullptr && home->open.load(std::memory_order_relaxed) ? home : nullptr;
}

WorkerSlot* PoolCore::decide(Producer& producer, Duration size) {
  const Duration service = this->service();
  if (WorkerSlot* const own = open_home()) {
    // What a task submits stays with its worker, which is likely to wait for it; idle workers help.
    producer.no_wake = false;
    producer.nested = true;
    remember(producer, *own, own->bound != 0 ? own->bound : own->ring.capacity());
    return own;
  }
  const std::size_t waiting =
      common_.count() + (producer.slot != nullptr ? producer.slot->ring.size_approx() : 0);
  bool parked = !idle_.any() || wake_pays(static_cast<std::int64_t>(waiting) * service);
  auto id = choose(LiveLoads(slots_.get(), open_count(), idle_, service, parked), producer, size);
  if (!id && !parked) {
    parked = true;
    id = choose(LiveLoads(slots_.get(), open_count(), idle_, service, parked), producer, size);
  }
  if (!id) return nullptr;
  WorkerSlot& slot = slots_[index(*id)];
  producer.no_wake = !parked;
  producer.nested = false;
  producer.waiting_common = 0;  // K3
  remember(producer, slot,
           slot.bound != 0 ? slot.bound
                           : automatic_bound(service, slot.busy.load(std::memory_order_relaxed),
                                             slot.ring.capacity()));
  return &slot;
}

// How many tasks one decision, or one measurement, stands for; none: each needs its own. By lot, so
// that it does not keep step with the tasks.
std::uint32_t PoolCore::tasks_at_once(Producer& producer) const {
  const Duration service = this->service();
  if (service >= kShort || service == Duration::zero()) return 0;
  const auto budget =
      kBudgetMin + static_cast<std::uint32_t>(producer.throw_dice() % kBudgetSpread);
  return service < kVeryShort ? kBudgetOfVeryShort * budget : budget;
}

void PoolCore::remember(Producer& producer, WorkerSlot& slot, std::uint32_t limit) {
  producer.slot = &slot;
  producer.waiting_there = slot.ring.size_approx();
  producer.limit = limit;
  producer.budget = options_.on_decision ? 0 : tasks_at_once(producer);
}

std::optional<WorkerId> PoolCore::choose(const LiveLoads& board, Producer& producer,
                                         Duration size) {
  dispatch::Draw draw{.turn = turns_.fetch_add(1, std::memory_order_relaxed),
                      .dice = needs_.dice ? producer.throw_dice() : 0,
                      .size = size,
                      .cycle = cycle_.get()};
  if (needs_.shares) {
    if (seen_shares.pool != number_ || seen_shares.version != shares_version_.load()) {
      const std::lock_guard lock(shares_lock_);
      seen_shares = {number_, shares_version_.load(), shares_};
    }
    draw.shares = seen_shares.shares.get();
  }
  if (!options_.on_decision) return dispatch::choose(options_.dispatch, board, draw);
  Decision decision{dispatch::LoadArray::copy_of(board), draw, {}};
  decision.chosen = dispatch::choose(options_.dispatch, decision.loads, draw);
  options_.on_decision(decision);
  return decision.chosen;
}

}  // namespace artel::pool::detail
