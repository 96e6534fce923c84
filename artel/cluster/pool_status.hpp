#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

/// A worker as it answered, and what it did meanwhile.
struct WorkerStatus {
  WorkerReport report;      ///< its newest
  double chunks_per_s = 0;  ///< done, in the time looked at
  double busy_share = 0;    ///< of its threads, in the time looked at; 0 to 1
};

/// What goes on in a pool.
struct PoolStatus {
  std::string servers;         ///< that were asked, without user and password
  std::string server_version;  ///< empty: it does not say it
  std::string pool;
  Duration looked_for{};              ///< rates are over this time
  std::vector<WorkerStatus> workers;  ///< by host, process and id
  double chunks_per_s = 0;            ///< of all of them
  std::uint64_t queued = 0;           ///< chunks that no worker has yet; beacons are none
  std::uint64_t in_hand = 0;          ///< chunks that some worker has
  std::uint64_t redelivered = 0;      ///< of those, handed out more than once
  std::uint64_t queue_bytes = 0;      ///< what waits in the stream takes so much
  std::uint64_t arrived = 0;          ///< into the queue since it was made, copies too
  std::uint64_t dead_letters = 0;     ///< chunks that were given up (DeadLetter)
};

/// Calls the workers twice, `window` apart, and asks the server about the queue. A pool that nobody
/// has used yet is empty. Reports that cannot be read, or that the connection's keys say are
/// forged, count for nothing; of what anybody may have made up, kStatusWorkersMax workers and
/// kStatusQueuesMax queues do. Errors: the connection's. Threads: any; it waits for `window` and
/// half a second at most.
inline constexpr std::size_t kStatusWorkersMax = 10'000;
inline constexpr std::size_t kStatusQueuesMax = 1000;
[[nodiscard]] Result<PoolStatus> pool_status(const Connection& connection, const std::string& pool,
                                             Duration window = std::chrono::seconds(1));

/// Looks at a pool time and again, at less cost: rates are over the time since the last look, of a
/// worker's whole life in the first one, and dead letters are not counted.
/// Cost: a look: a call that every worker answers, and a question or two about each queue.
/// Threads: one at a time.
class PoolLooks {
 public:
  /// The connection must outlive it. Errors: the connection's.
  [[nodiscard]] static Result<PoolLooks> prepare(const Connection& connection,
                                                 const std::string& pool);
  PoolLooks(PoolLooks&&) noexcept;
  PoolLooks& operator=(PoolLooks&&) noexcept;
  ~PoolLooks();

  /// Waits until those who answered the last time have answered, half a second at most; a worker
  /// that is new may be missing once. Errors: the connection's; not_found, at once, while there is
  /// none.
  [[nodiscard]] Result<PoolStatus> look();

 private:
  struct State;
  explicit PoolLooks(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace artel::cluster
