#pragma once

#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/submit_conditions.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/detail/tick_clock.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/outcomes.hpp"

namespace artel::pool::detail {

/// Runs tasks of a pool on some thread: measures them, and counts how they end.
///
/// Threads: its own, but for the shared counts of the pool.
class ThreadRunner : public Runner {
 public:
  /// Without a slot: a thread outside the pool that claimed a task, or a worker that gave its
  /// slot away.
  ThreadRunner(PoolCore& core, WorkerSlot* slot) : core_(core), slot_(slot) {}
  ThreadRunner(const ThreadRunner&) = delete;
  ThreadRunner& operator=(const ThreadRunner&) = delete;
  virtual ~ThreadRunner() = default;

  std::optional<TaskOutcome> begin(TaskTimes& times) override {
    if (const SubmitConditions* const conditions = conditions_of(times)) {
      if (conditions->stop.stop_requested()) return TaskOutcome::cancelled;
      if (conditions->deadline != kNever && conditions->deadline < steady_now())
        return TaskOutcome::expired;
    }
    const Instant ready = std::exchange(ready_since_, {});
    started_.push_back(times.recorded != 0 && ready != Instant{} ? ready : time_for(times));
    return std::nullopt;
  }
  void end(TaskTimes& times, TaskOutcome outcome) override {
    const Instant started = started_.back();
    started_.pop_back();
    const Instant finished = time_for(times);
    if (times.recorded != 0 && started_.empty()) free_since_ = finished;
    core_.accounts.measure(slot_, times, started, finished, outcome);
  }
  void put_off() override { started_.pop_back(); }
  void put_back(Job& job) override { core_.wakeups.put_back({&job, 1}); }
  void discard(TaskTimes& times, TaskOutcome outcome) override {
    const Instant ended = time_for(times);
    core_.accounts.measure(slot_, times, ended, ended, outcome);
  }
  void account(TaskOutcome outcome) override {
    if (slot_ == nullptr) {
      core_.accounts.count_outside(outcome);
    } else if (core_.guarded) {
      slot_->counts.add_shared(outcome);
    } else {
      slot_->counts.add(outcome);
    }
  }
  void unclaimed_exception() override {
    if (core_.options.on_exception) core_.options.on_exception(std::current_exception());
  }

 protected:
  /// The thread goes from one job straight to the next. When both are recorded, the end of the one
  /// is the start of the other: a reading of the clock less, and what lies between is work, too.
  void go_on() { ready_since_ = std::exchange(free_since_, {}); }
  /// The next job does not follow straight on the one before.
  void pause_between() { free_since_ = ready_since_ = {}; }

  PoolCore& core_;
  WorkerSlot* slot_;

 private:
  std::vector<Instant>
      started_;            // of the tasks that run on this thread, each inside the one before
  Instant free_since_{};   // when the last one of all ended, if it was recorded; zero: not known
  Instant ready_since_{};  // the same, for the job that is about to begin
};

}  // namespace artel::pool::detail
