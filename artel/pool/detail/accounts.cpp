#include "artel/pool/detail/accounts.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/latency.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/pool_queues.hpp"
#include "artel/pool/detail/pool_recording.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/detail/submit_conditions.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/detail/tick_clock.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::pool::detail {

Accounts::Accounts(const PoolOptions& options, PoolQueues& queues, PoolRecording& recording)
    : queues_(queues),
      recording_(recording),
      needs_(dispatch::needs(options.dispatch)),
      counts_work_(needs_.inputs.has(dispatch::PolicyInput::work)) {}

void Accounts::bind(Job& job, WorkerSlot& slot, const Producer& producer) {
  TaskTimes* const times = job.times();
  if (times == nullptr) return;
  times->queued_worker = producer.waiting_there & TaskTimes::kQueuedWorkerMax;
  times->queued_common = producer.waiting_common & TaskTimes::kQueuedCommonMax;
  count_work(*times, slot);
}

void Accounts::unbind(Job& job) {
  TaskTimes* const times = job.times();
  SubmitConditions* const conditions = times != nullptr ? conditions_of(*times) : nullptr;
  if (conditions != nullptr) uncount(*conditions);
}

void Accounts::rebind(std::span<Job> jobs, WorkerSlot& slot, bool from_common) {
  const bool timed = from_common && (recording_.observed() || recording_.on());
  if (!timed && !counts_work_) return;
  Instant bound{};
  for (Job& job : jobs) {
    TaskTimes* const times = job.times();
    if (times == nullptr) continue;
    if (timed && (recording_.observed() || times->recorded != 0)) {
      if (bound == Instant{}) bound = time_for(*times);
      // A task that waits for the Future may have claimed this one, and be reporting it right now.
      std::atomic_ref(times->bound).store(bound, std::memory_order_relaxed);
    }
    // For the same reason the hint of such a task stays where it was.
    if (!job.holds<NodeBody>()) count_work(*times, slot);
  }
}

void Accounts::count_work(TaskTimes& times, WorkerSlot& slot) {
  SubmitConditions* const conditions = conditions_of(times);
  if (conditions == nullptr || !counts_work_ || conditions->size <= Duration::zero()) return;
  uncount(*conditions);
  conditions->counted = true;
  conditions->counted_at = slot.id;
  slot.work_ns.fetch_add(conditions->size.count(), std::memory_order_relaxed);
}

bool Accounts::uncount(SubmitConditions& conditions) {
  if (!std::exchange(conditions.counted, false)) return false;
  queues_.slot(conditions.counted_at)
      .work_ns.fetch_sub(conditions.size.count(), std::memory_order_relaxed);
  return true;
}

void Accounts::begin(WorkerSlot& slot, SubmitConditions& conditions) {
  if (!uncount(conditions)) return;
  const auto ends = later(steady_now(), slot.at_speed(conditions.size));
  slot.ends_ns.store((ends - Instant{}).count(), std::memory_order_relaxed);
}

void Accounts::measure(WorkerSlot* slot, TaskTimes& times, Instant started, Instant finished,
                       TaskOutcome outcome) {
  if (SubmitConditions* const conditions = conditions_of(times)) uncount(*conditions);
  if (times.weight != 0 && (outcome == TaskOutcome::done || outcome == TaskOutcome::failed)) {
    service_.add(finished - started);
    (slot != nullptr ? slot->measured : outside_measured_)
        .record(started - times.submitted, finished - started, times.weight);
    if (slot != nullptr) {
      slot->delay.add(started - times.submitted);
      const Instant sent = times.bound == Instant{} ? times.submitted : times.bound;
      note_answer(*slot, finished - sent, finished, outcome == TaskOutcome::failed);
    }
  }
  if (!recording_.observed() && times.recorded == 0) return;
  recording_.report(slot, times, started, finished, static_cast<trace::TaskOutcome>(outcome));
}

void Accounts::note_answer(WorkerSlot& slot, Duration took, Instant finished, bool failed) const {
  if (needs_.inputs.has(dispatch::PolicyInput::latency))
    slot.latency.add(dispatch::counted(took, slot.ring.size_approx() + 1, needs_.latency), finished,
                     needs_.latency);
  if (!needs_.inputs.has(dispatch::PolicyInput::failures)) return;
  if (failed) {
    slot.failures.fetch_add(1, std::memory_order_relaxed);
  } else {
    slot.failures.store(0, std::memory_order_relaxed);
  }
}

void Accounts::count_outside(TaskOutcome outcome) {
  outside_counts_.add_shared(outcome);
  look_for_quiescence();
}

Outcomes Accounts::outcomes() const {
  Outcomes sum = outside_counts_.read();
  for (const WorkerSlot& slot : queues_.slots()) sum.add(slot.counts.read());
  return sum;
}

bool Accounts::quiet() const {
  // In this order: a task counts as ended before its continuations are called, its worker is in it
  // until they have returned, and what they submit is accepted before that.
  const std::uint64_t ended = outcomes().ended();
  const std::uint64_t accepted = queues_.accepted();
  if (ended != accepted || outside_.load() != 0) return false;
  const auto slots = queues_.slots();
  const bool in_task = std::any_of(slots.begin(), slots.end(), [](const WorkerSlot& slot) {
    return slot.in_task.load(std::memory_order_acquire);
  });
  return !in_task && queues_.accepted() == accepted;
}

bool Accounts::wait_idle(Instant until) {
  return quiescence_.wait(until, [this] { return quiet(); });
}

}  // namespace artel::pool::detail
