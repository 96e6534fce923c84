#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "artel/cluster/pool_status.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

/// The workers of a pool that one process has started on this machine, as a scaling policy wants
/// to see them: counts that go on though workers come and go.
///
/// What waits and what comes is of the whole pool, for they may get any of it; the rest is theirs.
/// Who does not answer in time is taken to be as he was. Threads: one at a time.
/// Cost: a look O(n log n) in the workers.
class LocalFleet {
 public:
  LocalFleet();

  /// Chunks, and time in chunks.
  struct Figures {
    std::uint64_t queued = 0;    ///< that no worker has yet, of the pool
    std::uint64_t in_hand = 0;   ///< that these workers have
    std::uint64_t running = 0;   ///< of those: that they work on
    std::uint64_t arrived = 0;   ///< PoolStatus::arrived
    std::uint64_t measured = 0;  ///< that ended at these workers, so far
    Duration service{};          ///< time in those, together
    Duration busy{};             ///< the same, and what those that run have taken until now
    /// Who has answered now: what he has in hand, by process id.
    std::map<std::int64_t, std::size_t> answered{};
  };
  /// `processes`: the ids of those that there are.
  [[nodiscard]] Figures look(const PoolStatus& status, const std::set<std::int64_t>& processes);

 private:
  // A worker when it answered last.
  struct Known {
    std::int64_t process = 0;
    std::uint64_t in_hand = 0;
    std::uint64_t running = 0;
    std::uint64_t measured = 0;
    Duration service{};
    Duration busy{};
  };
  void add(const std::string& worker, const Known& now);

  std::string host_;
  std::map<std::string, Known> known_;  // by WorkerReport::worker
  std::uint64_t measured_ = 0;          // of all that ever were there, as are the next ones
  Duration service_{};
  Duration busy_{};
};

}  // namespace artel::cluster
