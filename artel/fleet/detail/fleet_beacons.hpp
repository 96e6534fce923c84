#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/controller.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/worker_table.hpp"
#include "artel/fleet/detail/fifo.hpp"

namespace artel::fleet::detail {

/// The beacons of a closed loop in the queues of a simulated fleet; under other policies nothing is
/// there: active() is false, and nothing else may be asked.
///
/// A beacon takes its place behind the tasks that wait when it is sent, and is reached when the
/// worker has finished all of them; tasks that come later do not delay it. It is no element of the
/// queue. All workers get theirs at once, so that beacons are but counted, and every task that
/// waits knows how many were sent before it: a worker that is busy costs nothing when they are
/// sent.
/// Where loads are stale, no beacons go: the loop hears of them with each refresh.
/// Invariants:
///  1  A worker has reported each beacon that was sent since it joined, up to those that wait
///     behind its running task, or behind the first that waits; of those that it reached at once
///     it reports two.
///  2  A report has every task that ended since the report before.
/// Cost: O(1) per call; send() and refresh() O(workers). Threads: its simulation's.
class FleetBeacons {
 public:
  /// `table` must outlive it.
  explicit FleetBeacons(dispatch::WorkerTable& table)
      : table_(table), active_(table.closed_loop() != nullptr) {}

  [[nodiscard]] bool active() const { return active_; }
  [[nodiscard]] const dispatch::ClosedLoop& loop() const { return *table_.closed_loop(); }

  void join(WorkerId id);
  /// A task came to the end of the worker's queue.
  void bound(WorkerId id) { trails_[index(id)].sent_before.push(sent_); }
  /// A task was taken from the front of the worker's queue, by another worker.
  void withdrawn(WorkerId id) { (void)trails_[index(id)].sent_before.pop(); }
  /// It was taken to run there.
  void started(WorkerId id) {
    Trail& trail = trails_[index(id)];
    trail.running = trail.sent_before.pop();
  }
  /// The running task ended. Before the next one is told of.
  void finished(WorkerId id) {
    Trail& trail = trails_[index(id)];
    trail.running.reset();
    ++trail.committed;
  }
  /// All that followed has been done: the beacons that the worker has reached report.
  void settled(WorkerId id, Instant now) {
    while (const auto report = reached(id, table_.loads().queued(id), now)) table_.report(*report);
  }
  /// The report of the next one, with `queued` tasks left; nothing: none, or no more.
  [[nodiscard]] std::optional<dispatch::BeaconReport> reached(WorkerId id, std::uint32_t queued,
                                                              Instant now);

  /// One more beacon for every worker. Those that are idle answer it now.
  void send(Instant now);
  /// What they would have told, with a refresh of the loads; and what follows from it.
  void refresh(const dispatch::LoadArray& loads, Instant now);

 private:
  struct Trail {
    explicit Trail(ChunkStore<std::uint32_t>& store) : sent_before(store) {}
    std::uint32_t reported = 0;            // beacons of this worker, those before it came included
    std::uint32_t committed = 0;           // tasks since the beacon before
    std::optional<std::uint32_t> running;  // beacons sent before the task that runs, if one does
    Fifo<std::uint32_t> sent_before;       // the same of each task that waits
  };

  [[nodiscard]] dispatch::BeaconReport report(WorkerId id, std::uint32_t queued, Instant now);

  dispatch::WorkerTable& table_;
  bool active_;
  // Of their numbers only differences count: they may begin anew at 0.
  std::uint32_t sent_ = 0;
  Instant sent_at_{};  // the last one
  std::unique_ptr<ChunkStore<std::uint32_t>> store_ = std::make_unique<ChunkStore<std::uint32_t>>();
  std::vector<Trail> trails_;
};

inline std::optional<dispatch::BeaconReport> FleetBeacons::reached(WorkerId id,
                                                                   std::uint32_t queued,
                                                                   Instant now) {
  Trail& trail = trails_[index(id)];
  const auto& waiting = trail.sent_before;
  const auto until = trail.running.value_or(waiting.empty() ? sent_ : waiting.front());
  if (trail.reported == until) return std::nullopt;
  // The second of them says that nothing has happened since the first, and so would all others.
  if (until - trail.reported > 2) trail.reported = until - 2;
  return report(id, queued, now);
}

}  // namespace artel::fleet::detail
