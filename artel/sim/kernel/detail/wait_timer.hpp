#pragma once

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {

/// A timer of a wait, which must outlive it. Stopping one costs O(1).
class WaitTimer {
 public:
  /// One that would fire at the end of time, or beyond, never does.
  void start(Wait& wait, ProcessState& process, Duration after);
  void stop();

  /// For a timer that lets everything pass that happens at its moment before it counts: true the
  /// second time it fired; after the first time it runs again, until the moment is over.
  [[nodiscard]] bool fired_last(Wait& wait);
  /// For any other: it fired and does not run any more.
  void fired() { event_ = nullptr; }

 private:
  ProcessState* process_ = nullptr;
  Event* event_ = nullptr;  // pending
  bool repeated_ = false;
};

}  // namespace artel::sim::detail
