#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/controller.hpp"
#include "artel/dispatch/shares.hpp"

namespace artel::dispatch::detail {

/// Beacons in the queues of a single-threaded host, the controller that hears them, and the
/// distribution in force. A beacon takes its place behind the tasks that wait when it is sent, and
/// is reached when the worker has finished all of them.
///
/// Cost:    taken, finished O(1) and the beacons reached; send O(1); publish as Controller.
/// Threads: one at a time.
class BeaconLoop {
 public:
  explicit BeaconLoop(const ClosedLoop& options) : controller_(options) {}

  void join(WorkerId id, float weight, Instant now);
  void leave(WorkerId id, Instant now);

  /// Sends a beacon behind the `waiting` tasks of a worker's queue. An idle worker answers at once.
  void send(WorkerId id, std::size_t waiting, bool running, Instant now);
  /// A task was taken from the front of the worker's queue: to run, or by another worker.
  void taken(WorkerId id) { ++trails_[index(id)].taken; }
  /// The running task ended; `queued` tasks are left. Beacons that come next are reached.
  void finished(WorkerId id, std::uint32_t queued, Instant now);

  /// A report from elsewhere.
  void report(const BeaconReport& report) { controller_.report(report); }
  void publish(Instant now);
  /// The distribution in force: the last one published, or made anew if workers joined or left
  /// since.
  [[nodiscard]] const Shares& shares() {
    if (members_changed_) publish(*members_changed_);
    return shares_;
  }

 private:
  struct Beacon {
    std::uint64_t behind;  // reached when so many tasks were taken
    Instant sent;
  };
  struct Trail {
    std::uint64_t taken = 0;
    std::uint64_t committed = 0;  // since the beacon before
    std::deque<Beacon> beacons{};
  };

  void reached(WorkerId id, std::uint32_t queued, Instant sent, Instant now);

  Controller controller_;
  Shares shares_;
  std::optional<Instant> members_changed_;  // since shares_ was made
  std::vector<Trail> trails_;
};

}  // namespace artel::dispatch::detail
