#pragma once

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {

/// A timer of a wait, which must outlive it. Stopping one costs O(1).
class WaitTimer {
 public:
  /// One that would fire at the end of time, or beyond, never does.
  void start(Wait& wait, const ProcessState& process, Duration after);
  /// Fires once more at the present time, when everything has passed that happens at it.
  void start_last(Wait& wait, const ProcessState& process);
  void stop() {
    if (event_ != nullptr) cancel();
  }
  /// It has fired and does not run any more.
  void fired() { event_ = nullptr; }

 private:
  void cancel();

  Event* event_ = nullptr;  // pending
};

}  // namespace artel::sim::detail
