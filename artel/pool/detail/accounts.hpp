#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "artel/core/instant.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/measurements.hpp"
#include "artel/pool/detail/outcome_counts.hpp"
#include "artel/pool/detail/pool_queues.hpp"
#include "artel/pool/detail/pool_recording.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/detail/submit_conditions.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/stat/smoothed_time.hpp"
#include "artel/sync/cache_line_pair.hpp"
#include "artel/sync/event_count.hpp"

namespace artel::pool::detail {

/// How many tasks ended and how, how long they took, how much hinted work waits at whom; and who
/// waits for all of it to have ended.
///
/// Invariants:
///  K1  accepted = done + failed + cancelled + expired + what is queued or running. A task is
///      counted as accepted by the ring or queue that takes it, under that one's lock, and its end
///      by whoever ends it: at the slot (WorkerSlot::counts), or here by a thread without a slot.
///  K4  WorkerSlot::work_ns is the sum of the hints (SubmitOptions::size) of the tasks that have
///      `counted` set and `counted_at` there: added by whoever puts the task there, taken back by
///      whoever moves it on, begins it, or ends it. From its beginning it is WorkerSlot::ends_ns,
///      unless it runs inside another task. Only kept for policies that look at it.
/// Threads: any.
class Accounts {
 public:
  Accounts(const PoolOptions& options, PoolQueues& queues, PoolRecording& recording);
  Accounts(const Accounts&) = delete;
  Accounts& operator=(const Accounts&) = delete;

  // ---- The way of a task

  /// The task, still its submitter's, is about to enter the worker's queue.
  void bind(Job& job, WorkerSlot& slot, const Producer& producer);
  /// It did not get in there after all.
  void unbind(Job& job);
  /// Queued tasks go from the common queue, or from another worker, to this one.
  void rebind(std::span<Job> jobs, WorkerSlot& slot, bool from_common);
  /// A task begins on the slot's thread, inside no other: from now on its hint runs off.
  void begin(WorkerSlot& slot, SubmitConditions& conditions);
  /// It has ended, or was put off.
  void end(WorkerSlot& slot) const {
    if (counts_work_) slot.ends_ns.store(0, std::memory_order_relaxed);
  }
  /// Measures and reports a measured task that has ended, by `slot`, or (null) by a thread outside.
  void measure(WorkerSlot* slot, TaskTimes& times, Instant started, Instant finished,
               TaskOutcome outcome);
  /// A task has ended on a thread that serves no slot.
  void count_outside(TaskOutcome outcome);

  // ---- Figures

  /// Service time of a task, smoothed over the last ones that were measured; 0: none was.
  [[nodiscard]] Duration service() const { return service_.get(); }
  [[nodiscard]] Outcomes outcomes() const;
  [[nodiscard]] const OutcomeCounts& outside_counts() const { return outside_counts_; }
  [[nodiscard]] const Measurements& outside_measured() const { return outside_measured_; }

  // ---- Quiescence

  /// Waits until all that was accepted has ended, with its continuations; false: not by then.
  [[nodiscard]] bool wait_idle(Instant until);
  /// Whether all that was accepted has ended, and what followed from its end (continuations) too.
  [[nodiscard]] bool quiet() const;
  /// Tells those who wait, after a task ended and none was found.
  void look_for_quiescence() {
    if (quiescence_.has_waiters()) quiescence_.notify_all();
  }
  /// A task goes on, on a thread that has lost its slot; and has ended there.
  void enter_outside() { outside_.fetch_add(1); }
  void leave_outside() {
    outside_.fetch_sub(1);
    look_for_quiescence();
  }

 private:
  void count_work(TaskTimes& times, WorkerSlot& slot);
  bool uncount(SubmitConditions& conditions);  // false: it was not counted

  void note_answer(WorkerSlot& slot, Duration took, Instant finished, bool failed) const;

  PoolQueues& queues_;
  PoolRecording& recording_;
  const dispatch::Needs needs_;  // of the policy
  const bool counts_work_;       // it looks at work_ns (K4)
  sync::EventCount quiescence_;

  // Each on lines of its own: everybody reads the first, and threads outside write the others.
  alignas(sync::kCacheLinePair) stat::SmoothedTime service_;
  alignas(sync::kCacheLinePair) OutcomeCounts outside_counts_;
  Measurements outside_measured_;
  std::atomic<unsigned> outside_ = 0;
};

}  // namespace artel::pool::detail
