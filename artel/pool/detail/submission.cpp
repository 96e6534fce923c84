#include "artel/pool/detail/submission.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/pool/detail/accounts.hpp"
#include "artel/pool/detail/common_queue.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_block.hpp"
#include "artel/pool/detail/job_ring.hpp"
#include "artel/pool/detail/live_loads.hpp"
#include "artel/pool/detail/pool_queues.hpp"
#include "artel/pool/detail/pool_recording.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/detail/tell_exception.hpp"
#include "artel/pool/detail/tick_clock.hpp"
#include "artel/pool/detail/wakeups.hpp"
#include "artel/pool/detail/worker_choice.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/priority.hpp"

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

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> numbers = 0;
  return ++numbers;
}

}  // namespace

Submission::Submission(const PoolOptions& options, PoolQueues& queues, PoolRecording& recording,
                       Accounts& accounts, WorkerChoice& choice, Wakeups& wakeups)
    : options_(options),
      queues_(queues),
      recording_(recording),
      accounts_(accounts),
      choice_(choice),
      wakeups_(wakeups),
      number_(next_number()),
      patience_(options.when_full == dispatch::WhenFull::block ? kNever : Instant::min()) {}

// A thread that goes from pool to pool starts anew each time: what it knew about the one before is
// forgotten, and its first task is decided about and measured (budget 0, period 1).
void Submission::bind_to_pool(Producer& producer) {
  producer = {.pool = number_,
              .period = 1,
              .dice = static_cast<std::uint64_t>(options_.seed) +
                      0x9E3779B97F4A7C15U * producers_.fetch_add(1)};
}

TaskTimes Submission::times(Producer& producer, bool measured) {
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
  producer.period = recording_.observed() ? 1 : std::max(tasks_at_once(producer), 1U);
  return times;
}

// ---- Getting in

Admission Submission::admit_uncounted(Job& job, Priority priority, const dispatch::TaskHints& hints,
                                      Instant until) {
  if (const auto admission = try_admit(job, priority, hints)) return *admission;
  if (until == Instant::min()) return Admission::full;
  if (!never_waits_for_room) return wait_for_room(job, priority, until);
  const Admission admission = admit_over_bound(job, priority);
  if (admission == Admission::accepted) count_over_bound();
  return admission;
}

Admission Submission::admit_over_bound(Job& job, Priority priority) {
  mark_common(job, priority);
  if (queues_.common().push_over(priority, job) == CommonQueue::Pushed::closed) {
    return admit_closed(job, priority);
  }
  wakeups_.after_common();
  return Admission::accepted;
}

Admission Submission::wait_for_room(Job& job, Priority priority, Instant until) {
  CommonQueue& common = queues_.common();
  if (common.bound() == 0) priority = Priority::normal;  // there are none
  mark_common(job, priority);
  CommonQueue::Waiter waiter(job);
  switch (common.push_or_wait(priority, job, waiter)) {
    case CommonQueue::Pushed::closed:
      return Admission::closed;
    case CommonQueue::Pushed::ok:
      wakeups_.after_common();
      return Admission::accepted;
    case CommonQueue::Pushed::full:
      wakeups_.after_common();
  }
  // A worker looks for submitters in line after it has taken a task. Who joins after that look
  // fills the worker's queue itself.
  do {
    std::unique_ptr<JobBlock> spare;
    for (WorkerSlot& slot : queues_.slots()) {
      if (common.in_line() != 0) fill_queue(slot, spare);
    }
  } while (!waiter.sleep(until));
  switch (common.leave(waiter, priority)) {
    case CommonQueue::Line::State::admitted:
      return Admission::accepted;
    case CommonQueue::Line::State::closed:
      return Admission::closed;
    case CommonQueue::Line::State::waits:
      break;
  }
  return Admission::late;
}

void Submission::fill_queue(WorkerSlot& slot, std::unique_ptr<JobBlock>& spare) noexcept {
  const std::uint32_t bound = waiting_bound(slot, accounts_.service());
  const std::uint32_t waiting = slot.ring.size_approx();
  if (waiting >= bound || !slot.open.load(std::memory_order_relaxed)) return;
  if (!spare) spare.reset(new (std::nothrow) JobBlock);
  if (!spare) return;
  const std::uint32_t max = std::min(bound - waiting, JobBlock::kJobs);
  auto block = queues_.common().take(Priority::normal, max, spare);
  if (!block) return;
  accounts_.rebind(block->jobs(), slot, true);
  const auto jobs = block->jobs();
  for (auto kept = slot.ring.relocate_if_open(jobs.data(), static_cast<std::uint32_t>(jobs.size()));
       kept > 0; --kept) {
    block->pop_front();
  }
  if (block->size() > 0) {
    queues_.common().put_back(std::move(block));
  } else {
    block->reset();
    spare = std::move(block);
  }
  wakeups_.after_push(slot, false);
}

Admission Submission::admit_behind(Job& job) noexcept {
  try {
    return admit_over_bound(job, Priority::normal);
  } catch (const std::bad_alloc&) {
    return Admission::full;
  }
}

Admission Submission::admit_work(Job& job, Instant until) noexcept {
  try {
    return admit(job, Priority::normal, {}, until);
  } catch (...) {
    tell_exception(options_);
  }
  try {
    const Admission admission = into_common(job, Priority::normal).value_or(Admission::full);
    if (admission != Admission::accepted) count_refusal(job);
    return admission;
  } catch (const std::bad_alloc&) {
    count_refusal(job);
    return Admission::full;
  }
}

void Submission::count_refusal(Job& job) {
  refused_.fetch_add(1, std::memory_order_relaxed);
  accounts_.unbind(job);
  if (recording()) recording_.report_refusal(job);
}

// After close() only what tasks of this pool submit gets in, as long as it drains.
Admission Submission::admit_closed(Job& job, Priority priority) {
  if (queues_.cancelling() || queues_.home_of_this_thread() == nullptr) return Admission::closed;
  mark_common(job, priority);
  queues_.common().push_inside(priority, job);
  wakeups_.after_common();
  return Admission::accepted;
}

// Nothing: no room now.
std::optional<Admission> Submission::try_admit(Job& job, Priority priority,
                                               const dispatch::TaskHints& hints) {
  if (priority != Priority::normal && queues_.common().bound() > 0) {
    return into_common(job, priority);
  }
  Producer& mine = producer();
  // A push fails when the queue filled up, or closed, since the decision, or when another submitter
  // is at that end of it right now: then the next decision is another one. Not for ever.
  constexpr int kTries = 4;
  const bool nested = open_home() != nullptr;
  bool crowded = false;
  for (int i = 0; i < kTries; ++i) {
    if (!nested && queues_.common().count(Priority::normal) != 0) {  // K3
      if (behind_others(job)) return Admission::accepted;
      if (queues_.common().count(Priority::normal) != 0) break;  // no room, or closed
    }
    WorkerSlot* const slot = decide(mine, hints, crowded);
    if (slot == nullptr) break;
    // Before the push: afterwards the job is the worker's.
    accounts_.bind(job, *slot, mine);
    const bool last = i == kTries - 1;
    switch (last ? slot->ring.push(mine.limit, job) : slot->ring.try_push(mine.limit, job)) {
      case JobRing::Pushed::ok:
        wakeups_.after_push(*slot, mine.no_wake);
        return Admission::accepted;
      case JobRing::Pushed::closed:
        if (queues_.closed()) return admit_closed(job, Priority::normal);
        break;
      case JobRing::Pushed::full:
        break;
      case JobRing::Pushed::busy:
        crowded = true;
        break;
    }
    mine.budget = 0;
  }
  return into_common(job, Priority::normal);
}

// Unless what waited there is gone meanwhile, or there is no room.
bool Submission::behind_others(Job& job) {
  mark_common(job, Priority::normal);
  if (!queues_.common().push_behind(job)) return false;
  wakeups_.after_common();
  return true;
}

std::optional<Admission> Submission::into_common(Job& job, Priority priority) {
  mark_common(job, priority);
  switch (queues_.common().push(priority, job)) {
    case CommonQueue::Pushed::full:
      return std::nullopt;
    case CommonQueue::Pushed::closed:
      return admit_closed(job, priority);
    case CommonQueue::Pushed::ok:
      break;
  }
  wakeups_.after_common();
  return Admission::accepted;
}

// The job, still its submitter's, is about to enter the common queue.
void Submission::mark_common(Job& job, Priority priority) {
  TaskTimes* const times = job.times();
  if (times == nullptr) return;
  accounts_.unbind(job);
  times->priority = static_cast<std::uint64_t>(priority) & 3U;
  times->queued_worker = 0;
  times->queued_common =
      std::min<std::uint64_t>(queues_.common().count(), TaskTimes::kQueuedCommonMax) &
      TaskTimes::kQueuedCommonMax;
}

// ---- Deciding

// The slot of the worker we are on, unless it is leaving.
WorkerSlot* Submission::open_home() const {
  WorkerSlot* const home = queues_.home_of_this_thread();
  return home != nullptr && home->open.load(std::memory_order_relaxed) ? home : nullptr;
}

// The worker that this task, and the next ones of its submitter, go to; null: none has room.
// `crowded`: it met another submitter at a queue.
WorkerSlot* Submission::decide(Producer& producer, const dispatch::TaskHints& hints, bool crowded) {
  const Duration service = accounts_.service();
  if (WorkerSlot* const own = open_home()) {
    // What a task submits stays with its worker, which is likely to wait for it; idle workers help.
    producer.no_wake = false;
    producer.nested = true;
    remember(producer, *own, own->bound != 0 ? own->bound : own->ring.capacity());
    return own;
  }
  // First among those that are awake, if that is enough for what waits: what goes to a parked
  // worker wakes it, always (P3).
  const std::size_t waiting =
      queues_.common().count() + (producer.slot != nullptr ? producer.slot->ring.size_approx() : 0);
  // Submitters who meet add tasks faster than the time that these take would tell.
  bool parked = !queues_.idle().any() || (crowded && wakeups_.processor_free()) ||
                wakeups_.wake_pays(static_cast<std::int64_t>(waiting) * service);
  const Instant now = choice_.reads_clock() ? steady_now() : Instant{};
  const auto choose = [&] {
    const LiveLoads loads(queues_.slots().data(), queues_.open_count(), queues_.idle(), service,
                          parked, now);
    return choice_.choose(loads, producer, hints, now);
  };
  auto id = choose();
  if (!id && !parked) {
    parked = true;
    id = choose();
  }
  if (!id) return nullptr;
  WorkerSlot& slot = queues_.slot(*id);
  producer.no_wake = !parked;
  producer.nested = false;
  producer.waiting_common = 0;  // K3
  remember(producer, slot, waiting_bound(slot, service));
  return &slot;
}

void Submission::remember(Producer& producer, WorkerSlot& slot, std::uint32_t limit) {
  producer.slot = &slot;
  producer.waiting_there = slot.ring.size_approx();
  producer.limit = limit;
  producer.budget = options_.on_decision || choice_.by_task() ? 0 : tasks_at_once(producer);
}

// How many tasks one decision, or one measurement, stands for; none: each needs its own. By lot, so
// that it does not keep step with the tasks.
std::uint32_t Submission::tasks_at_once(Producer& producer) const {
  const Duration service = accounts_.service();
  if (service >= kShort || service == Duration::zero()) return 0;
  const auto budget =
      kBudgetMin + static_cast<std::uint32_t>(producer.throw_dice() % kBudgetSpread);
  return service < kVeryShort ? kBudgetOfVeryShort * budget : budget;
}

}  // namespace artel::pool::detail
