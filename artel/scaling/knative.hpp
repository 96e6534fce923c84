#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "artel/core/instant.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/scaling/fleet_sample.hpp"

namespace artel::scaling {

/// Knative's autoscaler: tasks in the system per worker, averaged over a long window, and over a
/// short one that takes over in a panic.
///
/// When the short window alone asks for `panic_threshold` times the ready workers, the fleet only
/// grows until that was not so for a whole stable window. One decision multiplies the ready workers
/// by `max_up_rate` at most and divides them by `max_down_rate`. With a minimum of 0 the fleet goes
/// when nothing was there for a stable window and `zero_grace` more.
/// Cost:    O(periods in the stable window) per decision.
/// Threads: const and free of state; a State belongs to one thread at a time.
/// Source:  Knative documentation, Configuring autoscaling: concurrency, rate limits, window,
///          panic (1.14).
struct Knative {
  Duration period = std::chrono::seconds(2);
  double target = 70;                                 ///< tasks per worker: 70% of its limit of 100
  Duration stable_window = std::chrono::seconds(60);  ///< the long one
  double panic_window_percent = 10;                   ///< of the stable window
  double panic_threshold = 2;
  double max_up_rate = 1000;
  double max_down_rate = 2;
  Duration zero_grace = std::chrono::seconds(30);

  /// How many tasks were in_system, and when (at).
  struct Reading {
    Instant at{};
    double in_system = 0;
  };
  struct State {
    std::deque<Reading> readings{};       ///< of the stable window
    std::optional<Instant> panic{};       ///< when the threshold was exceeded last
    std::uint32_t panic_size = 0;         ///< the most that was wanted since then
    std::optional<Instant> idle_since{};  ///< since when no worker is wanted
  };

  /// How many workers there should be, within the limits.
  [[nodiscard]] std::uint32_t size_for(const FleetSample& sample, dispatch::SizeLimits limits,
                                       State& state) const;
};

}  // namespace artel::scaling
