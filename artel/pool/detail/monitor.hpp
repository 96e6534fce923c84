#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/controller.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/detail/worker_threads.hpp"

namespace artel::pool::detail {

/// What a pool does by the clock: sends beacons and, with a closed loop, publishes its
/// distribution, finds stalled tasks, forces out workers that leave too slowly.
///
/// A pool that needs none of these has no such thread, and between two duties it sleeps.
/// Threads: start() and stop() by any; the duties on its own thread. Beacons report on
///          the workers' threads.
class Monitor {
 public:
  Monitor(PoolCore& core, WorkerThreads& threads);
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  ~Monitor();

  /// Starts the thread, unless it runs; call when there may be something to do by the clock.
  void start();
  /// Ends the thread. Beacons under way still report.
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

  void run();
  // The duties: each returns when it wants to be called again.
  Instant send_beacons(Instant now);
  Instant publish(Instant now);
  Instant find_stalls(Instant now);

  [[nodiscard]] bool sends_beacons() const { return beacon_every_ != kForever; }
  void update_membership(WorkerSlot& slot, Watched& watched, Instant now);
  void report(const BeaconBody& beacon);
  [[nodiscard]] bool stalled(const WorkerSlot& slot, const Watched& watched, Instant now) const;
  void look_at_phase(WorkerSlot& slot, Watched& watched, Instant now);

  PoolCore& core_;
  WorkerThreads& threads_;
  std::mutex lock_;  // of all below
  std::condition_variable changed_;
  bool stopping_ = false;
  std::thread thread_;
  std::vector<Watched> watched_;
  Duration beacon_every_ = kForever;
  dispatch::ClosedLoop closed_loop_;
  std::unique_ptr<dispatch::Controller> controller_;  // only with a closed loop
  Instant beacons_at_{};
  Instant publish_at_{};
  Instant stalls_at_{};
};

}  // namespace artel::pool::detail
