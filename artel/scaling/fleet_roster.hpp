#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::scaling {

/// Says whom to start and whom to end, so that a fleet has the size that is wanted, where workers
/// take time to come and to go, and may die. Decides only; the host starts and ends them.
///
/// When the host does what changes() says, and nothing else,
/// 1. workers that were not asked to leave are never more than size();
/// 2. all together, those that leave too, are never more than `workers_max`: who is to come waits
///    for them;
/// 3. none is started until the pause after a death is over.
/// When the fleet shrinks, workers on their way go first, then those with the fewest tasks, of
/// these the youngest.
///
/// Cost:    changes() O(workers × log workers), ready() and changes_next() O(workers), else O(log).
/// Threads: one at a time.
class FleetRoster {
 public:
  /// What the host calls a worker, like a process id; not used again while that one is there.
  using WorkerName = std::int64_t;

  /// How long nobody is started after a death: twice as long from one to the next, until all was
  /// well for `settled`. Who dies meanwhile counts no more.
  struct Pauses {
    Duration first = std::chrono::seconds(1);    ///< after all was well
    Duration most = std::chrono::minutes(1);     ///< at most
    Duration settled = std::chrono::minutes(1);  ///< that all has to be well after a pause
  };

  explicit FleetRoster(std::uint32_t workers_max) : FleetRoster(workers_max, Pauses{}) {}
  FleetRoster(std::uint32_t workers_max, Pauses pauses);

  /// From now on there are to be so many. Requires: workers_max at most.
  void resize(std::uint32_t size);
  /// Those that are wanted and not asked to leave: here or on their way.
  [[nodiscard]] std::uint32_t size() const { return size_; }
  /// Those of them that take tasks.
  [[nodiscard]] std::uint32_t ready() const;
  /// All there are, those that leave too.
  [[nodiscard]] std::size_t present() const { return workers_.size(); }

  /// What is to be done now.
  struct Changes {
    std::uint32_t starts = 0;      ///< as many are to be started
    std::vector<WorkerName> ends;  ///< to be asked to leave
  };
  [[nodiscard]] Changes changes(Instant now) const;
  /// When changes() will say more though nothing has happened; kNever: it will not.
  [[nodiscard]] Instant changes_next(Instant now) const;

  /// What the host has done, or heard: it was started.
  void started(WorkerName worker);
  /// Nobody could be; the same as a death. Returns the pause.
  Duration not_started(Instant now);
  /// It takes tasks, and has so many. One that is not here is no mistake.
  void answered(WorkerName worker, std::size_t tasks);
  /// It will be gone, sooner or later, and takes no more tasks.
  void asked_to_leave(WorkerName worker);
  /// How a worker went.
  struct Departure {
    bool was_asked = false;  ///< to leave
    bool was_ready = false;  ///< it had answered
    Duration pause{};        ///< until another one may be started; 0 of one that was asked
  };
  /// It is there no more. Requires: it was.
  Departure gone(WorkerName worker, Instant now);

 private:
  struct Member {
    std::uint64_t number = 0;  // in order of being started
    bool ready = false;
    bool leaving = false;
    std::size_t tasks = 0;
  };

  [[nodiscard]] std::size_t staying() const;
  [[nodiscard]] bool pauses_at(Instant now) const { return paused_until_ && now < *paused_until_; }

  std::uint32_t workers_max_;
  Pauses pauses_;
  std::uint32_t size_ = 0;
  std::map<WorkerName, Member> workers_;
  std::uint64_t started_ = 0;
  Duration pause_{};                     // the last one
  std::optional<Instant> paused_until_;  // nothing: nobody has died yet
};

}  // namespace artel::scaling
