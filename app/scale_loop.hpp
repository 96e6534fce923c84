#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/fleet_scaling.hpp"
#include "app/pool_looker.hpp"
#include "app/stop_signals.hpp"
#include "app/worker_processes.hpp"
#include "artel/cluster/local_fleet.hpp"
#include "artel/cluster/pool_status.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/scaling/fleet_meter.hpp"
#include "artel/scaling/fleet_roster.hpp"
#include "artel/scaling/fleet_sample.hpp"
#include "artel/scaling/scaling_policy.hpp"

namespace artel::app {

/// What `artel cluster scale` keeps at a size, and by what.
struct ScaledFleet {
  FleetScaling scaling;
  std::string program;             ///< of a worker
  std::vector<std::string> words;  ///< its name and arguments
};

/// Has a policy decide how many worker processes run here, until asked to end. Brings what happens
/// (looks, ends of processes, signals, time) to those who decide (FleetMeter, Scaler, FleetRoster)
/// and does what they say; tells of each change on stderr.
///
/// Threads: the one that made it, and that made the signals before any other thread.
class ScaleLoop {
 public:
  /// `first`: what `looks` has seen. `shut`: the connection will not come back.
  ScaleLoop(ScaledFleet fleet, const cluster::PoolStatus& first, cluster::PoolLooks looks,
            StopSignals& signals, const std::atomic<bool>& shut);

  /// Until all workers have ended. 0: as asked; 1: the server refuses us; 2: a worker's arguments
  /// are wrong; 128 and a signal's number: at once.
  [[nodiscard]] int run();

 private:
  void carry_out();
  void wait() const;
  void hear_signals();
  void reap();
  void look(const PoolLooker::Seen& seen);
  void decide(Instant now);
  void leave(int status);
  [[nodiscard]] scaling::FleetLook look_at(const cluster::PoolStatus& status, Instant at);

  const ScaledFleet fleet_;
  StopSignals& signals_;
  const std::atomic<bool>& shut_;
  const std::string servers_;

  scaling::Scaler scaler_;
  scaling::FleetRoster roster_;
  WorkerProcesses processes_;
  cluster::LocalFleet local_;
  scaling::FleetMeter meter_;
  Instant due_{};           // the next decision
  Instant by_the_clock_{};  // of the last one
  bool server_gone_ = false;

  bool leaving_ = false;
  int status_ = 0;
  int asked_ = 0;  // how often, to end
  std::optional<Instant> kill_at_;

  PoolLooker looker_;
};

}  // namespace artel::app
