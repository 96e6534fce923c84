#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_block.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/thread_runner.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/detail/worker_threads.hpp"
#include "artel/sync/blocking_hook.hpp"

namespace artel::pool::detail {

/// A thread that serves a slot: takes tasks, runs them, sleeps when there are none.
///
/// Order of taking: urgent tasks, its own queue, the common queue, half of what waits at somebody
/// else, tasks of low priority. While tasks are long, what waits at somebody else comes before the
/// common queue, as it came before.
/// Threads: made, joined and destroyed by the WorkerThreads; everything else on its own thread.
class Worker final : public ThreadRunner, private sync::BlockingHook {
 public:
  Worker(WorkerThreads& threads, PoolCore& core, WorkerSlot& slot);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void start();
  void join() { thread_.join(); }
  /// Whether it has nothing left to do but being joined.
  [[nodiscard]] bool finished() const { return finished_.load(); }

  /// For a Future that waits on this thread.
  void run_claimed(FutureNode& node);

  [[nodiscard]] const PoolCore& core() const { return core_; }
  /// Null after it has given its slot away.
  [[nodiscard]] WorkerSlot* slot() const { return slot_; }

  /// Keeps tasks from its slot for some time, while it prepares for them (WorkerThreads::pause);
  /// false: the slot is not its own any more.
  bool pause() { return threads_.pause(*this, home_); }
  void resume() { threads_.resume(*this, home_); }
  /// Whether the slot is still its own; that it is not can be known before the task it is taken
  /// from has ended.
  [[nodiscard]] bool owns_home() const { return home_.owner.load() == this; }
  [[nodiscard]] bool home_is_member() const { return threads_.has_member(home_); }

 private:
  static constexpr Duration kSpinMin = std::chrono::microseconds(1);
  static constexpr Duration kSpinMax = std::chrono::microseconds(50);

  void run();
  void prepare_thread();
  void serve();
  void attend();
  bool work_once();
  void run_job(Job& job);
  bool run_from_common(Priority priority);
  bool steal();
  [[nodiscard]] bool may_steal_from(const WorkerSlot& victim) const;
  void keep(std::span<Job> jobs);

  // What a worker does without work; see parker.hpp.
  bool idle();
  bool spin(Instant since);
  bool sleep();
  void withdraw();
  void watch();
  [[nodiscard]] std::vector<std::uint64_t> look_at_queues() const;
  [[nodiscard]] bool needs_help(const std::vector<std::uint64_t>& before,
                                const std::vector<std::uint64_t>& after, Duration pause) const;
  [[nodiscard]] bool sees_work() const;
  [[nodiscard]] bool must_leave() const;

  // Stall detection (worker_slot.hpp, L2).
  void begin_phase();
  bool end_phase();

  bool before_block() override;

  WorkerThreads& threads_;
  WorkerSlot& home_;  // the slot it was made for; slot_ becomes null when that is given away
  std::thread thread_;
  std::atomic<bool> finished_ = false;
  Duration spin_{};
  std::uint64_t phase_ = 0;
  bool fresh_ = true;     // comes from idling, has run nothing since
  bool rescues_ = false;  // takes from others although it would not pay: they are stuck
  std::unique_ptr<JobBlock> spare_;
};

/// The worker on whose thread we are; null outside of all pools.
[[nodiscard]] Worker* this_worker();
/// The same, if it belongs to that pool.
[[nodiscard]] Worker* worker_of(const PoolCore& core);

}  // namespace artel::pool::detail
