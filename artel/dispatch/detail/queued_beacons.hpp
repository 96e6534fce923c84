#pragma once

#include <cstdint>
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
/// A beacon is no element of the queue. All workers get theirs at once, so that beacons are but
/// counted, and every task that waits knows how many were sent before it: a worker that is busy
/// costs nothing when they are sent.
/// Cost:    O(1) per call.
/// Threads: one at a time.
class QueuedBeacons {
 public:
  void join(WorkerId id);
  /// One more beacon for every worker. Those that are idle answer() it now.
  void send(Instant now) {
    ++sent_;
    sent_at_ = now;
  }
  /// What a worker reports that was idle when the last beacon was sent.
  [[nodiscard]] BeaconReport answer(WorkerId id) { return report(id, 0, sent_at_); }
  /// A task came to the end of the worker's queue.
  void bound(WorkerId id) { trails_[index(id)].sent_before.push(sent_); }
  /// A task was taken from the front of the worker's queue: to run, or by another worker.
  void taken(WorkerId id) { (void)trails_[index(id)].sent_before.pop(); }
  /// The running task ended.
  void finished(WorkerId id) { ++trails_[index(id)].committed; }
  /// The report of the next beacon that the worker has reached now that nothing runs, with `queued`
  /// tasks left; nothing: none, or no more. Of those that are reached at once the last two report:
  /// the second says that nothing has happened since the first, and so would all others.
  [[nodiscard]] std::optional<BeaconReport> reached(WorkerId id, std::uint32_t queued,
                                                    Instant now) {
    Trail& trail = trails_[index(id)];
    const auto until = trail.sent_before.empty() ? sent_ : trail.sent_before.front();
    if (trail.reported == until) return std::nullopt;
    if (until - trail.reported > 2) trail.reported = until - 2;
    return report(id, queued, now);
  }

 private:
  struct Trail {
    explicit Trail(ChunkStore<std::uint32_t>& store) : sent_before(store) {}
    std::uint32_t reported = 0;       // beacons of this worker, those before it came included
    std::uint32_t committed = 0;      // tasks since the beacon before
    Fifo<std::uint32_t> sent_before;  // beacons, by task that waits
  };

  [[nodiscard]] BeaconReport report(WorkerId id, std::uint32_t queued, Instant now);

  // Of their numbers only differences count: they may begin anew at 0.
  std::uint32_t sent_ = 0;
  Instant sent_at_{};  // the last one
  std::unique_ptr<ChunkStore<std::uint32_t>> store_ = std::make_unique<ChunkStore<std::uint32_t>>();
  std::vector<Trail> trails_;
};

}  // namespace artel::dispatch::detail
