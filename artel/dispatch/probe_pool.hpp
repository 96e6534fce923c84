#pragma once

#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/load.hpp"

namespace artel::dispatch {

/// What a worker answered when it was asked how busy it is.
struct Probe {
  WorkerId worker{};
  /// Tasks that it had, whoever sent them, and those that whoever keeps the probe has sent since.
  std::uint32_t queued = 0;
  Duration latency{};               ///< that a task was to expect there, when it was asked
  Instant taken{};                  ///< when it was asked
  std::uint32_t uses = kUnbounded;  ///< decisions that it may still serve; kUnbounded: any number

  friend bool operator==(const Probe&, const Probe&) = default;
};

/// The answers that one who decides has at hand: what a Prequal policy chooses by. A value, which
/// comes with the draw of a decision; a Prober keeps it.
struct ProbePool {
  std::vector<Probe> probes{};          ///< the oldest first, one per worker at most
  std::uint32_t hot_from = kUnbounded;  ///< who has so many tasks, or more, is hot

  /// Whether that worker has more tasks than most workers that were asked lately.
  [[nodiscard]] bool hot(const Probe& probe) const { return probe.queued >= hot_from; }
  /// Whether a task is better off at `a`. Cold before hot; of two that are cold the one of less
  /// latency, of two that are hot the one with fewer tasks; then by the other of the two.
  [[nodiscard]] bool better(const Probe& a, const Probe& b) const {
    if (hot(a) != hot(b)) return hot(b);
    if (hot(a) ? a.queued != b.queued : a.latency == b.latency) return a.queued < b.queued;
    return a.latency < b.latency;
  }

  friend bool operator==(const ProbePool&, const ProbePool&) = default;
};

}  // namespace artel::dispatch
