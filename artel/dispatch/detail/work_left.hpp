#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/detail/indexed_heap.hpp"

namespace artel::dispatch::detail {

/// How much hinted service every worker still has to do, as time goes on, and which of the open
/// workers has least. What runs longer than its hint counts as just about to end.
///
/// Time passes without any update: among workers whose running task is within its hint the order of
/// `end of the running task + work behind it` does not change, and among the others the order of
/// work behind does not. A worker changes sides at most once per task, when somebody looks.
/// Cost:    O(log workers) per change, amortised; least() O(1).
/// Threads: one at a time.
class WorkLeft {
 public:
  void resize(std::size_t workers);

  /// Moves time on; earlier times are ignored.
  void advance(Instant now);

  /// A task was put into the worker's queue, or taken out before it started.
  void add_waiting(WorkerId id, Duration hint);
  void remove_waiting(WorkerId id, Duration hint);
  /// The next task of the worker's queue started just now.
  void start(WorkerId id, Duration hint);
  /// The running task ended.
  void finish(WorkerId id);
  /// Sets all there is to do, with nothing known about when it started.
  void set_waiting(WorkerId id, Duration work);
  /// A hint of one second takes 1 / speed seconds here.
  void set_speed(WorkerId id, float speed);
  /// Whether least() may name the worker.
  void set_open(WorkerId id, bool open);

  /// Work left at the time of the last advance().
  [[nodiscard]] Duration left(WorkerId id) const;
  /// The open worker with least work left; ties go to the lowest id.
  [[nodiscard]] std::optional<WorkerId> least() const;

 private:
  struct Remaining {
    Duration waiting{};            // hints of what has not started
    Instant end = Instant::min();  // of the running task, as hinted; min: nothing runs
    float speed = 1;
    bool open = false;
  };

  [[nodiscard]] static Duration at_speed(Duration hint, float speed);
  void rekey(WorkerId id);
  void settle();
  void place(WorkerId id);

  Instant now_{};
  std::vector<Remaining> remaining_;  // by worker
  IndexedHeap<Instant> running_;      // open, end > now when last seen; key: end + waiting
  IndexedHeap<Duration> overdue_;     // open, the others; key: waiting
};

}  // namespace artel::dispatch::detail
