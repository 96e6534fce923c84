#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "artel/pool/futex.hpp"
#include "artel/pool/place.hpp"
#include "artel/pool/pool_core.hpp"
#include "artel/pool/runner.hpp"
#include "artel/pool/stamp.hpp"
#include "artel/pool/tick_clock.hpp"
#include "artel/unit/instant.hpp"

namespace artel::pool {

/// Runs tasks of a pool on some thread: measures them, and counts how they end.
///
/// Threads: its own, but for the shared counts of the pool.
class ThreadRunner : public Runner {
 public:
  /// Without a place: a thread outside the pool that claimed a task, or a worker that gave its
  /// place away.
  ThreadRunner(PoolCore& core, Place* place) : core_(core), place_(place) {}
  ThreadRunner(const ThreadRunner&) = delete;
  ThreadRunner& operator=(const ThreadRunner&) = delete;
  virtual ~ThreadRunner() = default;

  std::optional<Outcome> begin(Stamp& stamp) override {
    if (const Ticket* const ticket = ticket_of(stamp)) {
      if (ticket->stop.stop_requested()) return Outcome::cancelled;
      if (ticket->deadline != kNever && ticket->deadline < now()) return Outcome::expired;
    }
    const Instant ready = std::exchange(ready_since_, {});
    started_.push_back(stamp.recorded != 0 && ready != Instant{} ? ready : time_for(stamp));
    return std::nullopt;
  }
  void end(Stamp& stamp, Outcome outcome) override {
    const Instant started = started_.back();
    started_.pop_back();
    const Instant finished = time_for(stamp);
    if (stamp.recorded != 0 && started_.empty()) free_since_ = finished;
    core_.measure(place_, stamp, started, finished, outcome);
  }
  void put_off() override { started_.pop_back(); }
  void discard(Stamp& stamp, Outcome outcome) override {
    const Instant ended = time_for(stamp);
    core_.measure(place_, stamp, ended, ended, outcome);
  }
  void account(Outcome outcome) override {
    if (place_ == nullptr) {
      core_.outside_counts().add_shared(outcome);
      core_.look_for_quiescence();
    } else if (core_.guarded()) {
      place_->counts.add_shared(outcome);
    } else {
      place_->counts.add(outcome);
    }
  }
  void unclaimed_exception() override { core_.unclaimed_exception(); }

 protected:
  /// The thread goes from one job straight to the next. When both are recorded, the end of the one
  /// is the start of the other: a reading of the clock less, and what lies between is work, too.
  void go_on() { ready_since_ = std::exchange(free_since_, {}); }
  /// The next job does not follow straight on the one before.
  void pause_between() { free_since_ = ready_since_ = {}; }

  PoolCore& core_;
  Place* place_;

 private:
  std::vector<Instant>
      started_;            // of the tasks that run on this thread, each inside the one before
  Instant free_since_{};   // when the last one of all ended, if it was recorded; zero: not known
  Instant ready_since_{};  // the same, for the job that is about to begin
};

}  // namespace artel::pool
