#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/dispatch/load.hpp"

namespace artel::dispatch {

/// How the times of a worker's answers become Load::latency.
struct LatencyLaw {
  Duration decay = std::chrono::seconds(10);  ///< after so long the past counts 1/e
  /// Peak EWMA: an answer that is slower than the estimate becomes the estimate at once; otherwise,
  /// and for faster ones, the exponentially weighted mean over time.
  bool peak = true;
  /// What counts of an answer is its time per task that the worker had when it came: then latency ×
  /// tasks is what an answer may take a worker that has so many now.
  bool per_task = false;

  friend bool operator==(const LatencyLaw&, const LatencyLaw&) = default;
};

/// A worker's latency, and when it was that.
struct Latency {
  Duration value{};           ///< of answers, smoothed
  Instant heard = kNotHeard;  ///< when the last of them came
};

/// What is left of a latency after that time without an answer: it fades, so that a worker that
/// was slow once is tried again.
[[nodiscard]] inline Duration faded(Duration latency, Duration age, Duration decay) {
  if (age <= Duration::zero()) return latency;
  const double left = std::exp(-to_seconds(age) / to_seconds(decay));
  return from_seconds(to_seconds(latency) * left);
}

/// A worker's latency as of now: faded since its last answer; `initial` if it has not answered yet.
[[nodiscard]] inline Duration latency_now(const Load& load, Instant now, Duration decay,
                                          Duration initial) {
  return load.heard == kNotHeard ? initial : faded(load.latency, now - load.heard, decay);
}

/// What counts of an answer by a worker that had so many tasks when it came, this one included.
[[nodiscard]] inline Duration counted(Duration took, std::uint32_t queued, const LatencyLaw& law) {
  return law.per_task && queued > 1 ? took / std::int64_t{queued} : took;
}

/// The latency after one more answer, which took that long, as counted(). Cost: one exp().
/// Source: Finagle's Peak EWMA.
[[nodiscard]] inline Latency after_answer(const Latency& before, Duration took, Instant now,
                                          const LatencyLaw& law) {
  if (before.heard == kNotHeard) return {took, now};
  const double past =
      std::exp(-std::max(0.0, to_seconds(now - before.heard)) / to_seconds(law.decay));
  const double old = to_seconds(before.value);
  const double sample = to_seconds(took);
  if (law.peak && sample > old * past) return {took, now};
  return {from_seconds(old * past + sample * (1 - past)), now};
}

}  // namespace artel::dispatch
