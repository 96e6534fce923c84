#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/server.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::fleet::detail {

/// A worker of a simulated fleet: its server, and what the speed of the server's clock depends on.
struct FleetWorker {
  std::unique_ptr<Server> server;
  double speed = 1;          ///< its own
  double pace = 1;           ///< its own speed times that of the state or hour it is in …
  double ease = 1;           ///< … times this, as it has just started
  std::uint32_t down = 0;    ///< for so many reasons it is broken
  bool warm = true;          ///< it is not starting up
  std::uint32_t bound = 0;   ///< tasks, as the meter knows
  std::uint32_t inside = 0;  ///< of them: in its server
  std::uint32_t busy = 0;    ///< places, as the meter knows
  bool goes = true;          ///< as its server knows
  Instant since{};           ///< when its clock was moved last
  Instant cold_from{};       ///< if it is idle until then
  random::Stream fate;       ///< of its failures and cold starts
  sim::EventId warming{};    ///< it has started up
  sim::EventId change{};
  Instant change_at = kNever;  ///< none is on its way
  sim::EventId wake{};
  Instant wake_at = kNever;

  /// How fast the clock of its server goes.
  [[nodiscard]] double rate() const { return down == 0 && warm ? pace * ease : 0; }
};

/// The servers of a simulated fleet and their clocks.
///
/// What happens at a worker is between move_clock() and schedule(), and news() has what came of it.
/// Invariants:
///  1  A worker's clock stands at `since`; it has gone at rate() from the time before.
///  2  There is one ServerChange and one ServerWake on its way for each worker, at the times that
///     its server names, and none where it names none.
/// Cost: O(1) each, and what the server costs. Threads: its simulation's.
class FleetWorkers {
 public:
  /// `scenario` and `events`, the component that handles the events, must outlive it.
  FleetWorkers(const scenario::Scenario& scenario, std::uint32_t replication, sim::Context& events)
      : scenario_(scenario), replication_(replication), events_(events) {}

  [[nodiscard]] FleetWorker& at(WorkerId id) { return workers_[index(id)]; }
  [[nodiscard]] std::size_t size() const { return workers_.size(); }
  /// The next one; those beyond the scenario's list are like its first.
  void add();

  /// Before anything happens at the worker.
  void move_clock(FleetWorker& worker);
  /// Its clock has come to the next change of the server: all that ends in this nanosecond does.
  void change(FleetWorker& worker);
  /// Its server is to know whether it works.
  void stop_or_go(FleetWorker& worker);
  /// After something has happened there: the events that the server wants.
  void schedule(WorkerId id);

  /// What the servers have begun and ended; who reads it clears it.
  [[nodiscard]] ServerNews& news() { return news_; }

 private:
  const scenario::Scenario& scenario_;
  std::uint32_t replication_;
  sim::Context& events_;
  std::vector<FleetWorker> workers_;
  ServerNews news_;
};

inline void FleetWorkers::move_clock(FleetWorker& worker) {
  const Instant now = events_.now();
  const double clock = to_seconds(now - worker.since) * worker.rate();
  worker.since = now;
  if (clock > 0) worker.server->advance(std::min(clock, worker.server->until_change()));
}

inline void FleetWorkers::stop_or_go(FleetWorker& worker) {
  const bool works = worker.rate() > 0;
  if (works == std::exchange(worker.goes, works)) return;
  works ? worker.server->go(events_.now(), news_) : worker.server->stop();
}

}  // namespace artel::fleet::detail
