#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/controller.hpp"
#include "artel/dispatch/detail/fifo.hpp"

namespace artel::dispatch::detail {

/// Beacons in the queues of a Dispatcher. A beacon takes its place behind the tasks that wait when
/// it is sent, and is reached when the worker has finished all of them; tasks that come later do
/// not delay it.
///
/// A beacon is no element of the queue: it is kept by how many tasks will have been taken from the
/// front when its turn comes. The first one's number lies with the counts, so that a task that ends
/// touches one cache line of thousands of workers'.
/// Cost:    O(1) per call.
/// Threads: one at a time.
class QueuedBeacons {
 public:
  void join(WorkerId id);
  /// Sends a beacon behind the `waiting` tasks of a worker's queue. An idle worker answers at once:
  /// returns its report.
  [[nodiscard]] std::optional<BeaconReport> send(WorkerId id, std::size_t waiting, bool running,
                                                 Instant now);
  /// A task was taken from the front of the worker's queue: to run, or by another worker.
  void taken(WorkerId id) { ++trails_[index(id)].taken; }
  /// The running task ended.
  void finished(WorkerId id) { ++trails_[index(id)].committed; }
  /// The report of the next beacon that the worker has reached now that nothing runs, with `queued`
  /// tasks left; nothing: none, or no more.
  [[nodiscard]] std::optional<BeaconReport> reached(WorkerId id, std::uint32_t queued,
                                                    Instant now) {
    if (trails_[index(id)].next_behind > trails_[index(id)].taken) return std::nullopt;
    return take_first(id, queued, now);
  }

 private:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

  struct SentBeacon {
    std::uint64_t behind;  // reached when so many tasks were taken
    Instant sent;
  };
  struct Trail {
    explicit Trail(ChunkStore<SentBeacon>& store) : beacons(store) {}
    std::uint64_t taken = 0;
    std::uint64_t committed = 0;        // since the beacon before
    std::uint64_t next_behind = kNone;  // of the first beacon
    Fifo<SentBeacon> beacons;
  };

  [[nodiscard]] BeaconReport take_first(WorkerId id, std::uint32_t queued, Instant now);

  std::unique_ptr<ChunkStore<SentBeacon>> store_ = std::make_unique<ChunkStore<SentBeacon>>();
  std::vector<Trail> trails_;
};

}  // namespace artel::dispatch::detail
