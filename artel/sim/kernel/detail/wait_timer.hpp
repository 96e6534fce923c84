#pragma once

#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/detail/timer_table.hpp"
#include "artel/sim/kernel/detail/wait.hpp"

namespace artel::sim::detail {

/// A timer of a wait, which must outlive it. Stopping one costs O(1).
class WaitTimer {
 public:
  /// kForever: never fires.
  void start(Wait& wait, ProcessState& process, Duration after);
  void stop();

  /// For a timer that lets the present pass before it counts: true the second time it fired; after
  /// the first time it runs again, with no delay.
  [[nodiscard]] bool fired_last(Wait& wait);
  /// For any other: it fired and does not run any more.
  void fired();

 private:
  ProcessState* process_ = nullptr;
  std::uint32_t slot_ = TimerTable::kNone;
  bool repeated_ = false;
};

}  // namespace artel::sim::detail
