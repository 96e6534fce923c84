#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <typeinfo>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_block.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/thread_runner.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/detail/worker_threads.hpp"
#include "artel/sync/blocking_hook.hpp"

namespace artel::pool::detail {

/// A thread that serves a slot: takes tasks, runs them, sleeps when there are none. While it waits
/// inside a task another thread serves the slot.
///
/// Order of taking: urgent tasks, its own queue, the common queue, half of what waits at somebody
/// else, tasks of low priority. While tasks are long, what waits at somebody else comes before the
/// common queue, as it came before.
///
/// Invariants:
///  F1  After kTurn children of its own tasks it takes what waits in the common queue: it looks
///      every kCommonLook tasks, because submitters write there with every task. So nothing
///      waits there for ever behind tasks that submit themselves again; and without such tasks a
///      single worker keeps the order of arrival.
///  F2  Every kTurn tasks it looks at the queue of another worker, of each in turn. Where one waits
///      and none has been taken between two looks, it takes some: their worker is in a long task.
///  F3  Every kLowTurn tasks it takes one of low priority.
///  F4  Every kTurn tasks it takes one as if no urgent ones waited: from its own queue or, when its
///      own tasks have added to that since, from the common one. So each of the two has a task
///      taken every 2 kTurn tasks, whatever waits in all the others.
/// Threads: made, joined and destroyed by the WorkerThreads; everything else on its own thread.
class Worker final : public ThreadRunner,
                     public TaskRunningThread,
                     public SlotOwner,
                     private sync::BlockingHook {
 public:
  /// As often as the schedulers of Go and of Tokio look at their common queues. A prime: it keeps
  /// no step with the tasks.
  static constexpr unsigned kTurn = 61;
  static constexpr unsigned kLowTurn = 16 * kTurn;
  static constexpr unsigned kCommonLook = 8;

  Worker(WorkerThreads& threads, PoolCore& core, WorkerSlot& slot);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void start();
  void join() { thread_.join(); }
  /// Whether it has nothing left to do but being joined.
  [[nodiscard]] bool finished() const { return finished_.load(); }
  /// Its task, by type (stop_mode.hpp); null: it is in none.
  [[nodiscard]] const std::type_info* running() const {
    return running_.load(std::memory_order_relaxed);
  }

  bool run_newest(const void* group) override;
  void run_claimed(FutureNode& node) override;

  [[nodiscard]] const PoolCore& core() const { return core_; }
  [[nodiscard]] WorkerSlot& home() const { return home_; }

  // ---- By the WorkerThreads

  void set_finished() { finished_.store(true); }

  // Guarded by the lock of the WorkerThreads:
  Worker* next = nullptr;  ///< in the one list of the slot that it is in
  bool spare = false;      ///< that is the list of spares
  bool ended = false;      ///< it is to end, and in no list
  bool resting = false;    ///< an owner that has not been woken since it became that

  // ---- For what lives on its thread (WorkerHandle)

  /// Keeps tasks from its slot for some time, while it prepares for them (WorkerThreads::pause);
  /// false: the slot is not its own.
  bool pause() { return threads_.pause(*this, home_); }
  void resume() { threads_.resume(*this, home_); }
  /// Whether the slot is its own; that it is not can be known before the task it is taken from has
  /// ended.
  [[nodiscard]] bool owns_home() const { return home_.owner.load() == this; }
  [[nodiscard]] bool home_is_member() const { return threads_.has_member(home_); }

 private:
  // Pauses between two looks, so that a submitter may add more than one task.
  static constexpr int kPauses = 16;
  static constexpr Duration kSpinMin = std::chrono::microseconds(1);
  static constexpr Duration kSpinMax = std::chrono::microseconds(50);

  void run();
  void prepare_thread();
  void serve();
  void attend();
  bool work_once();
  bool common_has_waited(std::uint64_t patience);
  [[gnu::noinline]] void offer_room();
  void let_some_gather();
  bool work_in_turn(bool urgent);
  bool run_what_stands_still();
  void run_job(Job& job);
  bool run_from_common(Priority priority);
  void run_block(std::unique_ptr<JobBlock> block, bool from_common);
  bool steal();
  bool steal_from(WorkerSlot& victim);
  [[nodiscard]] bool may_steal_from(const WorkerSlot& victim) const;
  std::span<Job> keep(std::span<Job> jobs);

  // What a worker does without work; see parker.hpp.
  bool idle();
  bool spin(Instant since);
  bool sleep();

  // What parking.hpp asks.
  template <class Pool, class Atomics>
  friend class Parking;
  [[nodiscard]] WorkerId id() const { return home_.id; }
  [[nodiscard]] bool must_leave() const;
  [[nodiscard]] bool sees_work() const;
  void before_parking();
  [[nodiscard]] bool others_awake() const;
  void look_at_queues();
  [[nodiscard]] bool needs_help(Duration pause) const;
  void rescue() { rescues_ = true; }

  // Stall detection (worker_slot.hpp, L2).
  void begin_phase();
  bool end_phase();

  // Waiting inside a task.
  Lent before_block() override;
  void after_block() override;

  WorkerThreads& threads_;
  WorkerSlot& home_;  // the slot it was made for; slot_ is null while another thread serves that
  std::thread thread_;
  std::atomic<bool> finished_ = false;
  std::atomic<const std::type_info*> running_ = nullptr;
  Duration spin_{};
  std::uint64_t phase_ = 0;
  bool in_phase_ = false;
  bool in_task_ = false;       // when it lent its slot
  bool fresh_ = true;          // comes from idling, has run nothing since
  bool rescues_ = false;       // takes from others although it would not pay: they are stuck
  bool saw_few_ = false;       // tasks at its last look at its own queue
  bool common_waits_ = false;  // since when (F1)
  std::uint64_t accepted_before_ = 0;                // tasks had been accepted at its own queue
  unsigned turn_ = 0;                                // tasks taken (F2, F3)
  unsigned popped_ = 0;                              // from its own queue, since it was drained
  std::size_t watched_ = 0;                          // the slot looked at last (F2), and
  std::uint64_t watched_taken_ = ~std::uint64_t{0};  // how many tasks had been taken there
  std::uint64_t common_taken_seen_ = 0;              // as the watchdog
  std::unique_ptr<JobBlock> spare_ = JobBlock::make();
};

/// The worker on whose thread we are; null outside of all pools.
[[nodiscard]] Worker* this_worker();
/// The same, if it belongs to that pool.
[[nodiscard]] Worker* worker_of(const PoolCore& core);

}  // namespace artel::pool::detail
