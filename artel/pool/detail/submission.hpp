#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_block.hpp"
#include "artel/pool/detail/job_ring.hpp"
#include "artel/pool/detail/pool_queues.hpp"
#include "artel/pool/detail/pool_recording.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/detail/wakeups.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/priority.hpp"
#include "artel/sync/cache_line_pair.hpp"

namespace artel::pool::detail {

class Accounts;
class WorkerChoice;

/// Where a task goes, and whether it gets in.
///
/// Two ways. push_again(), inline: where this thread's last tasks went, as long as the decision
/// lasts (Producer::budget). admit(): asks the policy for a worker with room, and remembers the
/// answer for the next ones; without one the task waits in the common queue, and its submitter if
/// that is full. Threads that run tasks never wait: theirs get in over the bound (producer.hpp).
///
/// Invariants:
///  K3  While the common queue holds ordinary tasks, new ones from outside go there too: order of
///      arrival. What a task submits goes to its worker's own queue, where whoever waits for it can
///      take it back.
/// Threads: any; each with a Producer of its own.
class Submission {
 public:
  Submission(const PoolOptions& options, PoolQueues& queues, PoolRecording& recording,
             Accounts& accounts, WorkerChoice& choice, Wakeups& wakeups);
  Submission(const Submission&) = delete;
  Submission& operator=(const Submission&) = delete;

  /// What this thread remembers about this pool.
  Producer& producer() {
    Producer& producer = producers_of_thread[number_ % producers_of_thread.size()];
    if (producer.pool != number_) [[unlikely]]
      bind_to_pool(producer);
    return producer;
  }

  /// Puts an ordinary task where its submitter put the last ones, while that is still right; false:
  /// nothing happened, use admit(). `build(void*)` constructs the Job. About 15 ns.
  template <class Build>
  bool push_again(Producer& producer, Build&& build) {
    if (producer.budget == 0) return false;
    if (!producer.nested && queues_.common().count(Priority::normal) != 0) return false;  // K3
    WorkerSlot& slot = *producer.slot;
    if (slot.ring.try_push(producer.limit, std::forward<Build>(build)) != JobRing::Pushed::ok) {
      producer.budget = 0;  // decide anew
      return false;
    }
    --producer.budget;
    ++producer.waiting_there;
    wakeups_.after_push(slot, producer.no_wake);
    return true;
  }

  /// Puts it behind the ones that wait in the common queue, if there are any and our thread is no
  /// worker (K3); false: nothing happened, use admit(). `build` must not submit.
  template <class Build>
  bool push_behind(Build&& build) {
    if (home_slot != nullptr || !queues_.common().push_behind(std::forward<Build>(build)))
      return false;
    wakeups_.after_common();
    return true;
  }

  /// Accepts the job, or leaves it as it was. Tries until `until`: Instant::min() just once,
  /// kNever for as long as it takes.
  Admission admit(Job& job, Priority priority, const dispatch::TaskHints& hints, Instant until) {
    const Admission admission = admit_uncounted(job, priority, hints, until);
    if (admission != Admission::accepted) [[unlikely]]
      count_refusal(job);
    return admission;
  }
  /// The same for work that the pool queues for itself, where nobody could catch what a policy
  /// throws: on_exception hears of it, and the job goes to whoever is free.
  Admission admit_work(Job& job, Instant until) noexcept;
  /// The same for the next turn of work that has had one: behind all that waits in the common
  /// queue.
  Admission admit_behind(Job& job) noexcept;
  /// Has what waits in the common queue, and in line for it, fill the worker's queue. `spare`: an
  /// empty block or null.
  void fill_queue(WorkerSlot& slot, std::unique_ptr<JobBlock>& spare) noexcept;
  /// Whether the pool takes nothing from this thread.
  [[nodiscard]] bool closed_here() const {
    return queues_.closed() && (queues_.cancelling() || queues_.home_of_this_thread() == nullptr);
  }
  /// Whether what has not begun is not to begin.
  [[nodiscard]] bool cancelling() const { return queues_.cancelling(); }
  /// PoolQueues::drops().
  [[nodiscard]] std::uint64_t drops() const { return queues_.drops(); }
  /// A task got in over the bound of a queue.
  void count_over_bound() { over_bound_.fetch_add(1, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t over_bound() const { return over_bound_.load(); }
  /// Tasks that did not get in so far.
  [[nodiscard]] std::uint64_t refused() const { return refused_.load(); }
  /// `until` for submissions that follow PoolOptions::when_full.
  [[nodiscard]] Instant patience() const { return patience_; }

  /// The times for the next task of this submitter, placed as push_again() would; when it is to be
  /// measured, it stands for those since the last one.
  [[nodiscard]] TaskTimes times(Producer& producer, bool measured);
  /// Whether it is this submitter's turn to have a task measured (or there is an observer).
  [[nodiscard]] static bool measures_next(const Producer& producer) {
    return producer.unmeasured + 1 >= producer.period;
  }
  [[nodiscard]] bool recording() const { return recording_.on(); }

 private:
  void bind_to_pool(Producer& producer);
  Admission admit_uncounted(Job& job, Priority priority, const dispatch::TaskHints& hints,
                            Instant until);
  void count_refusal(Job& job);
  Admission admit_closed(Job& job, Priority priority);
  Admission admit_over_bound(Job& job, Priority priority);
  Admission wait_for_room(Job& job, Priority priority, Instant until);
  void mark_common(Job& job, Priority priority);
  std::optional<Admission> try_admit(Job& job, Priority priority, const dispatch::TaskHints& hints);
  bool behind_others(Job& job);
  std::optional<Admission> into_common(Job& job, Priority priority);
  WorkerSlot* decide(Producer& producer, const dispatch::TaskHints& hints, bool crowded);
  void remember(Producer& producer, WorkerSlot& slot, std::uint32_t limit);
  [[nodiscard]] WorkerSlot* open_home() const;
  [[nodiscard]] std::uint32_t tasks_at_once(Producer& producer) const;

  const PoolOptions& options_;
  PoolQueues& queues_;
  PoolRecording& recording_;
  Accounts& accounts_;
  WorkerChoice& choice_;
  Wakeups& wakeups_;
  const std::uint64_t number_;  // tells this pool from every other one that ever was
  const Instant patience_;

  alignas(sync::kCacheLinePair) std::atomic<std::uint64_t> producers_ =
      0;  // threads that ever submitted
  std::atomic<std::uint64_t> refused_ = 0;
  std::atomic<std::uint64_t> over_bound_ = 0;
};

}  // namespace artel::pool::detail
