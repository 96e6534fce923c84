#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "artel/cluster/protocol/beacon_request.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/worker_table.hpp"

namespace artel::cluster::detail {

/// The workers' own queues as a master fills them: which of its chunks is at which worker, and
/// where, by a dispatch policy, the next one goes. The workers as the policy sees them are a
/// dispatch::WorkerTable; what is added here is their names, and the chunks' addresses.
///
/// A worker has at most `per_worker` chunks of a master, plus one for each thread beyond the first.
/// Its weight is its number of threads, its load what this master has sent and got no result for.
///  Q1  place() names a worker if one has room, and none else.
///  Q2  A chunk that was placed is at that worker until it is let go, or the worker is.
/// Threads: one at a time. No clock, no network: `now` comes from outside.
class WorkerQueues {
 public:
  WorkerQueues(dispatch::Policy policy, std::uint32_t per_worker, std::uint64_t seed);

  // ---- Workers

  void join(const std::string& worker, std::uint32_t threads, Instant now);
  /// Returns what was at it.
  std::vector<ChunkAddress> leave(const std::string& worker, Instant now);
  [[nodiscard]] bool has(const std::string& worker) const;
  [[nodiscard]] std::vector<std::string> workers() const;

  // ---- Chunks

  /// The worker for a chunk that is expected to take so long (0: unknown). Nothing: nobody has
  /// room.
  [[nodiscard]] std::optional<std::string> place(const ChunkAddress& chunk, Duration size,
                                                 Instant now);
  /// It is not at its worker any more, or never was.
  void let_go(const ChunkAddress& chunk, Instant now);
  /// Its result came: its worker's latency is measured, if it is still there.
  void answered(const ChunkAddress& chunk, Instant now);
  [[nodiscard]] std::size_t placed() const;

  // ---- The closed loop: nothing of it under other policies

  /// A beacon to be sent through a worker's queue.
  struct Sending {
    std::string worker;
    std::uint64_t number = 0;
  };
  /// Those that are due: one for every worker, unless the one before has not come back and is
  /// younger than `patience`.
  [[nodiscard]] std::vector<Sending> due_beacons(Instant now, Duration patience);
  /// Returns whether it is the answer to the last one.
  bool beacon_came(const BeaconAnswer& answer, Instant now);
  /// Publishes a new distribution if it is time.
  void tick(Instant now);
  /// Of the next beacon or distribution; kForever without a closed loop.
  [[nodiscard]] Duration interval() const;
  /// A worker's share in the distribution in force; 0 without a closed loop.
  [[nodiscard]] double share(const std::string& worker) const;

 private:
  // A worker as its queue is known here.
  struct RemoteWorker {
    std::string name;
    std::optional<std::uint64_t> beacon;  // on its way
    Instant beacon_sent{};
    std::uint64_t done = 0;  // chunks, when the last one came back
  };
  struct Placed {
    WorkerId worker{};
    Duration size{};
    Instant since{};
  };
  void unbind(const ChunkAddress& chunk, Instant now);

  const std::uint32_t per_worker_;

  dispatch::WorkerTable table_;
  Instant next_beacons_{};
  Instant next_shares_{};
  std::uint64_t beacons_ = 0;  // sent so far
  std::map<std::string, WorkerId> ids_;
  std::vector<RemoteWorker> workers_;  // by id
  std::map<ChunkAddress, Placed> placed_;
};

}  // namespace artel::cluster::detail
