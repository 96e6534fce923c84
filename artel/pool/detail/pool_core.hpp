#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/shares.hpp"
#include "artel/dispatch/weighted_cycle.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/pool/detail/common_queue.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/live_loads.hpp"
#include "artel/pool/detail/measurements.hpp"
#include "artel/pool/detail/outcome_counts.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/detail/watchdog.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/stat/smoothed_time.hpp"
#include "artel/sync/event_count.hpp"
#include "artel/sync/idle_set.hpp"
#include "artel/sync/spin_lock.hpp"
#include "artel/trace/trace_recorder.hpp"

namespace artel::pool::detail {

/// Slots, common queue, and who is idle: what submitters and workers of a pool act on together.
/// There is no thread in charge; the WorkerThreads (worker_threads.hpp) starts and ends the
/// threads.
///
/// Invariants:
///  K1  accepted = done + failed + cancelled + expired + what is queued or running. A task is
///      counted as accepted by the ring or queue that takes it, under that one's lock, and its end
///      by whoever ends it.
///  K2  After close() nothing is accepted; what was accepted before is run, or dropped as
///      cancelled.
///  K3  While the common queue holds ordinary tasks, new ones from outside go there too: order of
///      arrival. What a task submits goes to its worker's own queue, where whoever waits for it can
///      take it back.
/// Threads: any.
class PoolCore final : public TaskHost {
 public:
  /// Requires: options that passed check().
  explicit PoolCore(PoolOptions options);
  PoolCore(const PoolCore&) = delete;
  PoolCore& operator=(const PoolCore&) = delete;

  // ---- Submitting: pool_core_submit.cpp

  /// Puts an ordinary task where its submitter put the last ones, while that is still right; false:
  /// nothing happened, use admit(). `build(void*)` constructs the Job. About 15 ns.
  template <class Build>
  bool push_again(Producer& producer, Build&& build) {
    if (producer.budget == 0) return false;
    if (!producer.nested && common_.count(Priority::normal) != 0) return false;  // K3
    WorkerSlot& slot = *producer.slot;
    if (slot.ring.try_push(producer.limit, std::forward<Build>(build)) != JobRing::Pushed::ok) {
      producer.budget = 0;
      return false;
    }
    --producer.budget;
    ++producer.waiting_there;
    after_push(slot, producer.no_wake);
    return true;
  }

  /// What this thread remembers about this pool.
  Producer& producer() {
    if (this_producer.pool != number_) [[unlikely]]
      bind_to_pool(this_producer);
    return this_producer;
  }

  /// The times for the next task of this submitter, placed as push_again() would; when it is to be
  /// measured, it stands for those since the last one.
  [[nodiscard]] TaskTimes times(Producer& producer, bool measured);

  /// Whether it is this submitter's turn to have a task measured (or there is an observer).
  [[nodiscard]] static bool measures_next(const Producer& producer) {
    return producer.unmeasured + 1 >= producer.period;
  }
  [[nodiscard]] bool recording() const {
    return recorder_.load(std::memory_order_acquire) != nullptr;
  }

  /// Accepts the job, or leaves it as it was. Tries until `until`: Instant::min() just once,
  /// kNever for as long as it takes.
  Admission admit(Job& job, Priority priority, Duration size, Instant until) {
    const Admission admission = admit_unrecorded(job, priority, size, until);
    if (admission != Admission::accepted && recording()) [[unlikely]]
      record_refusal(job);
    return admission;
  }
  /// `until` for submissions that follow PoolOptions::when_full.
  [[nodiscard]] Instant patience() const {
    return options_.when_full == dispatch::WhenFull::block ? kNever : Instant::min();
  }

  // ---- Waking: pool_core_wake.cpp

  /// Tasks at least this long may be waiting for something rather than computing, so that more
  /// workers than processors can make sense; and a wake-up is small beside them.
  static constexpr Duration kLong = std::chrono::microseconds(20);

  /// Whether waking a parked worker brings more than it costs, with so much work waiting for those
  /// that are awake.
  [[nodiscard]] bool wake_pays(Duration backlog) const;
  /// Whether a worker without work may take some of the so many tasks that wait at another: not if
  /// they are done sooner where they are, or more workers are awake than processors can run.
  [[nodiscard]] bool stealing_pays(std::uint32_t waiting, const WorkerSlot& thief) const;
  /// Whether a worker without work may look out for some before it sleeps: while there are
  /// processors for it and for whoever submits.
  [[nodiscard]] bool spinning_pays() const;
  /// Wakes the worker if it is parked and nobody else does.
  void wake(WorkerSlot& slot);
  void wake_all();
  /// Wakes some parked worker; false: there is none.
  bool wake_any();

  // ---- Running: pool_core_run.cpp

  void run_claimed(FutureNode& node) override;
  void claims_open(int change) override;
  // ---- Recording: pool_recording.cpp

  [[nodiscard]] Result<void> start_recording(const std::filesystem::path& path,
                                             const RecordOptions& options);
  [[nodiscard]] Result<trace::Recording> stop_recording();
  [[nodiscard]] std::optional<trace::Recording> recording_progress() const;

  /// Measures and reports a measured task that has ended, by `slot`, or by a thread outside.
  void measure(WorkerSlot* slot, TaskTimes& times, Instant started, Instant finished,
               TaskOutcome outcome);
  /// The task, still its submitter's, is about to enter the worker's queue.
  void bind(Job& job, WorkerSlot& slot, const Producer& producer);
  /// Queued tasks go from the common queue, or from another worker, to this one.
  void rebind(std::span<Job> jobs, WorkerSlot& slot, bool from_common);
  void unclaimed_exception() const;
  /// Tells submitters that wait for room, after a task was taken from a queue.
  void room_made() {
    if (room_.has_waiters()) [[unlikely]] {
      offer_room();
    }
  }
  /// Tells those who wait for everything to have ended, after a task ended and none was found.
  void look_for_quiescence() {
    if (quiescence_.has_waiters()) quiescence_.notify_all();
  }

  // ---- Life

  void close();
  void cancel_pending() { cancelling_.store(true); }
  [[nodiscard]] bool closed() const { return closed_.load(); }
  [[nodiscard]] bool cancelling() const { return cancelling_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool wait_idle(Instant until);
  /// Waits until no thread outside runs a task of this pool any more.
  void wait_for_claims();

  void open_slot(WorkerSlot& slot);
  void close_slot(WorkerSlot& slot);
  /// Whether the slot takes tasks, without changing how many are open.
  static void admit_to(WorkerSlot& slot, bool tasks);
  /// Puts jobs that were accepted before at the head of the common queue, and sees that they run.
  void give_back(std::span<Job> jobs);
  /// The same with what waits at a slot that takes no tasks.
  void reclaim(WorkerSlot& slot);

  void publish(std::shared_ptr<const dispatch::Shares> shares);

  [[nodiscard]] std::uint64_t accepted() const;
  [[nodiscard]] Outcomes outcomes() const;

  [[nodiscard]] const PoolOptions& options() const { return options_; }
  [[nodiscard]] std::span<WorkerSlot> slots() const { return {slots_.get(), options_.workers_max}; }
  [[nodiscard]] unsigned open_count() const { return open_count_.load(std::memory_order_relaxed); }

  // What workers use directly.
  sync::IdleSet& idle() { return idle_; }
  CommonQueue& common() { return common_; }
  const CommonQueue& common() const { return common_; }
  Watchdog& watchdog() { return watchdog_; }
  OutcomeCounts& outside_counts() { return outside_counts_; }
  const Measurements& outside_measured() const { return outside_measured_; }
  [[nodiscard]] Duration service() const { return service_.get(); }
  [[nodiscard]] bool anything_queued() const;
  [[nodiscard]] unsigned processors() const { return processors_; }
  /// Whether stall detection is on (worker_slot.hpp, L2).
  [[nodiscard]] bool guarded() const {
    return options_.stall_after != kForever || options_.beacon_limit != kForever;
  }
  /// Wakes some parked worker to become the watchdog, unless there is one or one is on its way.
  void summon_watchdog();
  /// The same, if anything is queued: by a worker that comes from idling and is about to run a
  /// task, and so will not look after the rest (parker.hpp, P4).
  void leave_queues_watched() {
    if (idle_.any() && !watchdog_.present() && anything_queued()) summon_watchdog();
  }

 private:
  void after_push(WorkerSlot& slot, bool no_wake) {
    if (idle_.contains(slot.id)) {
      wake(slot);
    } else if (idle_.any() && (!no_wake || !watchdog_.present())) {
      consider_helper(slot);
    }
  }
  void bind_to_pool(Producer& producer);
  void offer_room();
  void consider_helper(const WorkerSlot& slot);
  void wake_if_it_pays(std::size_t waiting);
  [[nodiscard]] std::size_t awake_approx() const;
  void unpark(WorkerSlot& slot);
  [[nodiscard]] WorkerSlot* open_home() const;
  WorkerSlot* decide(Producer& producer, Duration size);
  std::optional<WorkerId> choose(const LiveLoads& board, Producer& producer, Duration size);
  std::optional<Admission> try_admit(Job& job, Priority priority, Duration size);
  [[nodiscard]] bool soon_has_room(const WorkerSlot& slot) const;
  std::optional<Admission> into_common(Job& job, Priority priority);
  void count_work(TaskTimes& times, WorkerSlot& slot);
  Admission admit_unrecorded(Job& job, Priority priority, Duration size, Instant until);
  void record_refusal(Job& job);
  void report(WorkerSlot* slot, TaskTimes& times, Instant started, Instant finished,
              trace::TaskOutcome outcome);
  void remember(Producer& producer, WorkerSlot& slot, std::uint32_t limit);
  std::uint32_t tasks_at_once(Producer& producer) const;

  static constexpr std::uint32_t kAutomaticCapacity = 1024;  // of a ring without a bound of its own

  const PoolOptions options_;
  const dispatch::Needs needs_;
  const unsigned processors_;
  const std::uint64_t number_;  // tells this pool from every other one that ever was
  TaskObserver* const observer_;
  // Of the recording that goes on; it lives as long as the pool, for those that come late with it.
  std::atomic<trace::TraceRecorder*> recorder_ = nullptr;
  std::unique_ptr<WorkerSlot[]> slots_;
  std::unique_ptr<const dispatch::WeightedCycle> cycle_;

  alignas(sync::kApart) sync::IdleSet idle_;
  Watchdog watchdog_;
  std::atomic<bool> closed_ = false;
  std::atomic<bool> cancelling_ = false;
  std::atomic<unsigned> open_count_ = 0;
  sync::EventCount room_;
  sync::EventCount quiescence_;
  alignas(sync::kApart) CommonQueue common_;
  alignas(sync::kApart) stat::SmoothedTime service_;
  alignas(sync::kApart) std::atomic<std::uint64_t> turns_ = 0;
  std::atomic<std::uint64_t> producers_ = 0;

  alignas(sync::kApart) OutcomeCounts outside_counts_;
  Measurements outside_measured_;
  std::atomic<std::int64_t> open_claims_ = 0;

  alignas(sync::kApart) std::atomic<std::uint64_t> shares_version_ = 0;
  std::mutex shares_lock_;
  std::shared_ptr<const dispatch::Shares> shares_;

  mutable std::mutex recorder_lock_;
  std::unique_ptr<trace::TraceRecorder> recorder_made_;
};

}  // namespace artel::pool::detail
