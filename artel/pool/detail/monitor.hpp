#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/controller.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/detail/timers.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/detail/worker_threads.hpp"
#include "artel/pool/outcomes.hpp"

namespace artel::pool::detail {

/// What a pool does by the clock: sends beacons and, with a closed loop, publishes its
/// distribution, finds stalled tasks, forces out workers that leave too slowly.
///
/// It is one of the pool's timers: a pool that needs none of these wakes nobody. A closed loop
/// rests while nobody asks for its distribution; the next decision wakes it, and it starts anew,
/// but for the arrival rate, which it keeps. Invariants:
///  O1  While it rests every beacon is back, and no decision was made since the last ones were
///      sent. It says so to the WorkerChoice, then looks at the turns once more; whoever decides
///      takes a turn, then looks whether it rests: one of the two sees the other.
/// Threads: start() and stop() by any; the duties on the timers' thread. Beacons report on the
///          workers' threads.
class Monitor final : private TimerCallback {
 public:
  /// The pool has no threads yet.
  Monitor(PoolCore& core, WorkerThreads& threads, Timers& timers);
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  ~Monitor();

  /// Looks what there is to do by the clock, from now on. Errors: see Timers::add().
  [[nodiscard]] Result<void> start();
  /// Ends that. Beacons under way still report.
  void stop();
  /// Whether the pool's options alone make it necessary.
  [[nodiscard]] bool needed() const { return sends_beacons() || core_.guarded; }

 private:
  /// What is known about a slot between two looks.
  struct Watched {
    bool member = false;  // of the closed loop
    bool beacon_under_way = false;
    std::uint64_t counted = 0;  // tasks ended at the last beacon
    std::uint64_t phase = 0;    // as last seen, and
    Instant since{};            // since when
    bool reported = false;
  };
  /// A task that goes through a worker's queue like any other and tells what it finds.
  struct BeaconBody {
    Monitor* monitor;
    WorkerSlot* slot;
    Instant sent;

    std::optional<TaskOutcome> run(Runner& runner);
    std::optional<TaskOutcome> drop(Runner& runner, TaskOutcome outcome);
    [[nodiscard]] TaskTimes* times() const { return nullptr; }
  };

  Instant on_time(Instant now) override;
  // The duties: each returns when it wants to be called again.
  Instant run_closed_loop(Instant now);
  Instant send_beacons(Instant now);
  Instant publish(Instant now);
  Instant find_stalls(Instant now);

  [[nodiscard]] bool sends_beacons() const { return beacon_every_ != kForever; }
  [[nodiscard]] bool may_rest();
  void wake_up(Instant now);
  void on_decision();
  void update_membership(WorkerSlot& slot, Watched& watched, Instant now);
  void report(const BeaconBody& beacon);
  [[nodiscard]] bool stalled(const WorkerSlot& slot, const Watched& watched, Instant now) const;
  void look_at_phase(WorkerSlot& slot, Watched& watched, Instant now);

  PoolCore& core_;
  WorkerThreads& threads_;
  Timers& timers_;
  Duration beacon_every_ = kForever;
  dispatch::ClosedLoop closed_loop_;
  bool rests_when_idle_ = false;  // nobody but the closed loop asked for beacons

  std::mutex lock_;  // of the next two, as far as beacons that report use them
  std::vector<Watched> watched_;
  std::unique_ptr<dispatch::Controller> controller_;  // only with a closed loop

  // Of the duties.
  bool rested_ = false;
  std::uint64_t turn_ = 0;  // of the decisions, at the last beacons
  Instant beacons_at_{};
  Instant publish_at_{};
  Instant stalls_at_{};
};

}  // namespace artel::pool::detail
