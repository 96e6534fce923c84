#pragma once

#include <optional>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/submit_conditions.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/detail/tell_exception.hpp"
#include "artel/pool/detail/tick_clock.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/outcomes.hpp"

namespace artel::pool::detail {

/// Runs tasks of a pool on some thread: measures them, and counts how they end.
///
/// Threads: its own, but for the shared counts of the pool.
class ThreadRunner : public Runner {
 public:
  /// Without a slot: a thread outside the pool that ends tasks unstarted, or a worker that has lost
  /// its slot.
  ThreadRunner(PoolCore& core, WorkerSlot* slot) : core_(core), slot_(slot) {}
  ThreadRunner(const ThreadRunner&) = delete;
  ThreadRunner& operator=(const ThreadRunner&) = delete;
  virtual ~ThreadRunner() = default;

  std::optional<TaskOutcome> begin(TaskTimes& times, Instant& started) override {
    if (SubmitConditions* const conditions = conditions_of(times)) {
      if (conditions->stop.stop_requested()) return TaskOutcome::cancelled;
      if (conditions->deadline != kNever && conditions->deadline < steady_now())
        return TaskOutcome::expired;
      if (begun_ == 0 && slot_ != nullptr) core_.accounts.begin(*slot_, *conditions);
    }
    const Instant ready = std::exchange(ready_since_, {});
    started = times.recorded != 0 && ready != Instant{} ? ready : time_for(times);
    ++begun_;
    return std::nullopt;
  }
  void end(TaskTimes& times, Instant started, TaskOutcome outcome) override {
    leave();
    const Instant finished = time_for(times);
    if (times.recorded != 0 && begun_ == 0) free_since_ = finished;
    core_.accounts.measure(slot_, times, started, finished, outcome);
  }
  void put_off() override { leave(); }
  bool put_back(Job& job) override { return core_.wakeups.put_back({&job, 1}) == 1; }
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
  void unclaimed_exception() override { tell_exception(core_.options); }

 protected:
  /// The thread goes from one job straight to the next. When both are recorded, the end of the one
  /// is the start of the other: a reading of the clock less, and what lies between is work, too.
  void go_on() { ready_since_ = std::exchange(free_since_, {}); }
  /// The next job does not follow straight on the one before.
  void pause_between() { free_since_ = ready_since_ = {}; }

  PoolCore& core_;
  WorkerSlot* slot_;

 private:
  void leave() {
    if (--begun_ == 0 && slot_ != nullptr) core_.accounts.end(*slot_);
  }

  unsigned begun_ = 0;     // measured tasks that run on this thread, each inside the one before
  Instant free_since_{};   // when the last one of all ended, if it was recorded; zero: not known
  Instant ready_since_{};  // the same, for the job that is about to begin
};

}  // namespace artel::pool::detail
