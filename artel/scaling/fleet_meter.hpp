#pragma once

#include "artel/core/instant.hpp"
#include "artel/scaling/fleet_sample.hpp"

namespace artel::scaling {

/// What a host sees of its fleet in one look: what is there, and what has been counted since
/// whenever. A count may fall: workers that go take theirs with them.
struct FleetLook {
  Instant at{};          ///< when
  double in_system = 0;  ///< tasks that wait or are being served now
  double waiting = 0;    ///< tasks that wait now
  double arrived = 0;    ///< tasks, so far
  double busy_s = 0;     ///< seconds that workers have served, together, so far
  double measured = 0;   ///< tasks that have ended, and for how long they were served is known
  double service_s = 0;  ///< seconds of these, together
};

/// Makes the samples that policies see from looks: tasks in the system on average over the looks
/// since the last sample, those that wait as of the last look, all else by what was counted
/// meanwhile.
///
/// Cost:    O(1) each. Threads: one at a time.
class FleetMeter {
 public:
  /// Times of samples count from the first look.
  explicit FleetMeter(const FleetLook& first);

  /// Requires: looks come in order of time.
  void look(const FleetLook& look);
  /// Since the last sample.
  [[nodiscard]] int looks() const { return looks_; }
  /// Of the time since the last one; `workers` and `ready` are left to the host. Requires: a look.
  [[nodiscard]] FleetSample sample();

 private:
  Instant start_;
  FleetLook before_;  // at the last sample
  FleetLook now_;
  int looks_ = 0;
  double in_system_ = 0;  // sum over the looks
};

}  // namespace artel::scaling
