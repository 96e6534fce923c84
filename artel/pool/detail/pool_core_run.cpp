// Running: what happens around a task.
#include <atomic>
#include <span>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/detail/submit_conditions.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/detail/thread_runner.hpp"
#include "artel/pool/detail/tick_clock.hpp"
#include "artel/pool/detail/worker.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::pool::detail {

void PoolCore::bind(Job& job, WorkerSlot& slot, const Producer& producer) {
  TaskTimes* const times = job.times();
  if (times == nullptr) return;
  times->queued_worker = producer.waiting_there & TaskTimes::kQueuedWorkerMax;
  times->queued_common = producer.waiting_common & TaskTimes::kQueuedCommonMax;
  count_work(*times, slot);
}

void PoolCore::rebind(std::span<Job> jobs, WorkerSlot& slot, bool from_common) {
  const bool timed = from_common && (observer_ != nullptr || recording());
  if (!timed && !needs_.work) return;
  Instant bound{};
  for (Job& job : jobs) {
    TaskTimes* const times = job.times();
    if (times == nullptr) continue;
    if (timed && (observer_ != nullptr || times->recorded != 0)) {
      if (bound == Instant{}) bound = time_for(*times);
      std::atomic_ref(times->bound).store(bound, std::memory_order_relaxed);
    }
    // Whoever waits for a Future may be running its task already: its hint stays where it was.
    if (!job.holds<NodeBody>()) count_work(*times, slot);
  }
}

void PoolCore::count_work(TaskTimes& times, WorkerSlot& slot) {
  SubmitConditions* const conditions = conditions_of(times);
  if (conditions == nullptr || !needs_.work || conditions->size <= Duration::zero()) return;
  if (conditions->counted) {
    slots_[index(conditions->counted_at)].work_ns.fetch_sub(conditions->size.count(),
                                                            std::memory_order_relaxed);
  }
  conditions->counted = true;
  conditions->counted_at = slot.id;
  slot.work_ns.fetch_add(conditions->size.count(), std::memory_order_relaxed);
}

void PoolCore::measure(WorkerSlot* slot, TaskTimes& times, Instant started, Instant finished,
                       TaskOutcome outcome) {
  if (const SubmitConditions* const conditions = conditions_of(times);
      conditions != nullptr && conditions->counted) {
    slots_[index(conditions->counted_at)].work_ns.fetch_sub(conditions->size.count(),
                                                            std::memory_order_relaxed);
  }
  if (times.weight != 0 && (outcome == TaskOutcome::done || outcome == TaskOutcome::failed)) {
    service_.add(finished - started);
    (slot != nullptr ? slot->measured : outside_measured_)
        .record(started - times.submitted, finished - started, times.weight);
    if (slot != nullptr) slot->delay.add(started - times.submitted);
  }
  if (observer_ == nullptr && times.recorded == 0) return;
  report(slot, times, started, finished, static_cast<trace::TaskOutcome>(outcome));
}

void PoolCore::claims_open(int change) {
  if (open_claims_.fetch_add(change) + change == 0) look_for_quiescence();
}

void PoolCore::run_claimed(FutureNode& node) {
  if (Worker* const worker = worker_of(*this)) {
    worker->run_claimed(node);
  } else {
    ThreadRunner runner(*this, nullptr);
    node.run_here(runner);
  }
}

}  // namespace artel::pool::detail
