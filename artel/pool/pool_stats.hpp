#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/stat/histogram.hpp"

namespace artel::pool {

/// Of histograms in stats: they are right within 0.8 %.
inline constexpr unsigned kStatsPrecisionBits = 6;

/// One worker at the time of the snapshot, or a sum over workers.
struct WorkerStats {
  Outcomes outcomes;         ///< tasks that ended, since the pool was made
  std::uint64_t queued = 0;  ///< tasks that wait, bound to it; those that a waiter has claimed
                             ///< meanwhile count until their turn comes, and so does a beacon
  bool busy = false;         ///< is in a task now
  bool open = false;         ///< takes tasks
  Duration busy_time{};      ///< not sleeping, looking for work or away, since the pool was made
  double busy_share = 0;     ///< of the time since it came first
  std::uint64_t stalls = 0;  ///< tasks that ran longer than PoolOptions::stall_after
  bool beacon_seen = false;  ///< with beacons (PoolOptions::beacon_every) only, and after the first
  Duration beacon_age{};     ///< since it reached the last one
  Duration beacon_gap{};     ///< between the last two; beyond the interval: how busy it is
  Duration beacon_wait{};    ///< how long the oldest it has not reached has been waiting; 0: none
  /// From submission to start, and from start to end. Of short tasks only one in some is measured;
  /// it counts for all of them.
  stat::Histogram queue_delay_ns{kStatsPrecisionBits};
  stat::Histogram service_ns{kStatsPrecisionBits};  ///< as queue_delay_ns
};

/// A pool at one moment.
///
/// The figures are read one after the other while the pool goes on: accepted >= ended always, and
/// accepted = ended (done + failed + cancelled + expired) exactly when nothing is queued or
/// running. In between, accepted - ended - queued is only about what runs.
struct PoolStats {
  std::uint64_t accepted = 0;  ///< tasks that got in
  std::uint64_t refused = 0;   ///< did not get in
  /// Of those accepted, by the pool and its strands: found no room, and got in because a task
  /// submitted them.
  std::uint64_t over_bound = 0;
  std::uint64_t queued_common = 0;  ///< tasks that wait in the common queue
  std::uint64_t queued_over_most =
      0;                             ///< most tasks that waited there, once beyond its bound; or 0
  std::vector<WorkerStats> workers;  ///< all slots, open or not
  WorkerStats outside;               ///< tasks that ended on a thread that serves no worker: after
                                     ///< they had stalled, or unstarted
  WorkerStats total;                 ///< busy_share: the mean over open workers
  std::size_t threads = 0;           ///< alive, those that stall or wait inside tasks included
};

}  // namespace artel::pool
