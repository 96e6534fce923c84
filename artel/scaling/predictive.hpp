#pragma once

#include <cstdint>
#include <deque>

#include "artel/core/instant.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/scaling/fleet_sample.hpp"

namespace artel::scaling {

/// The chance that a task has to wait for one of so many servers, when `offered` of them are busy
/// on average (arrival rate × mean service): Erlang's C formula. 1 from offered = servers on.
/// Cost: O(servers).
[[nodiscard]] double erlang_c(std::uint64_t servers, double offered);

/// As many workers as an M/M/c queue needs at the rate that is to be expected when new ones are
/// ready: so many tasks at most have to wait.
///
/// The rate is that of a straight line through those of the last `window`, `lead` ahead. Fewer come
/// only when fewer were enough for `hold`, and none at all only when no task is there.
/// Cost:    O(periods in the window + servers) per decision.
/// Threads: const and free of state; a State belongs to one thread at a time.
struct Predictive {
  Duration period = std::chrono::seconds(15);
  Duration window = std::chrono::minutes(5);
  Duration lead = std::chrono::minutes(1);
  Duration hold = std::chrono::minutes(5);
  double waiting = 0.2;     ///< share of tasks that may have to wait
  std::uint32_t slots = 1;  ///< tasks that a worker serves at once

  /// A value and when (at) it was seen.
  struct Reading {
    Instant at{};
    double value = 0;
  };
  struct State {
    std::deque<Reading> rates{};  ///< arrivals per second, within `window`
    std::deque<Reading> sizes{};  ///< that were enough
    double service_s = 0;         ///< known last
  };

  /// How many workers there should be, within the limits.
  [[nodiscard]] std::uint32_t size_for(const FleetSample& sample, dispatch::SizeLimits limits,
                                       State& state) const;

 private:
  [[nodiscard]] double enough_for(double offered, dispatch::SizeLimits limits) const;
};

}  // namespace artel::scaling
