#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "artel/core/covering.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/rounded_digit.hpp"

namespace artel::scenario {

/// How many tasks may be in the pool: one more with each answer in time per task that is there,
/// fewer when one is late.
struct AimdSettings {
  Duration target{};      ///< an answer that takes longer is late
  double decrease = 0.9;  ///< the limit is multiplied by that, once per `target` at most
  double min = 1;         ///< least limit, and the first
  double max = 1e9;       ///< greatest limit
};

/// The same, by how long the last task took beside the average of many; as Gradient2Limit of
/// Netflix' concurrency-limits.
struct GradientSettings {
  double tolerance = 1.5;  ///< times the average is still all right
  double queue = 4;        ///< room for so many to wait
  double smoothing = 0.2;  ///< share of the way to the new limit that it goes at once
  double window = 600;     ///< tasks of which the average is
  double min = 1;          ///< least limit, and the first
  double max = 1e9;        ///< greatest limit
};

/// Controlled delay (RFC 8289): the common queue may be long for a moment, but not wait for long.
struct CodelSettings {
  Duration target{};    ///< a wait that is all right …
  Duration interval{};  ///< … and for so long also a longer one
};

/// Which tasks a pool turns away though it has room: [pool.admission].
struct AdmissionSettings {
  std::optional<AimdSettings> aimd{};          ///< nothing: not by such a limit
  std::optional<GradientSettings> gradient{};  ///< likewise; one of them at most
  std::optional<CodelSettings> codel{};        ///< nothing: not by waits

  /// Whether it lets everybody in.
  [[nodiscard]] bool none() const { return !aimd && !gradient && !codel; }
};

/// Workers that fail are left out for a while: [dispatch.ejection].
struct EjectionSettings {
  std::uint32_t failures = 5;  ///< attempts in a row, lost or not answered in time
  Duration time{};             ///< times how often it was left out already, this time included
  double share = 0;            ///< of the workers, at most

  /// How many of so many workers may be left out at once.
  [[nodiscard]] std::size_t most_left_out(std::size_t workers) const {
    return static_cast<std::size_t>(near_floor(share * static_cast<double>(workers)));
  }
};

/// Callers that do not even ask while too much fails: [workload.callers.breaker].
struct BreakerSettings {
  double failures = 0;  ///< share of the last `tries` that failed
  std::uint32_t tries = 0;
  Duration open{};  ///< no try for so long; then one, which decides

  /// How many of the last `tries` have failed when it opens.
  [[nodiscard]] std::uint32_t opens_at() const {
    return static_cast<std::uint32_t>(covering(failures, tries));
  }
};

}  // namespace artel::scenario
