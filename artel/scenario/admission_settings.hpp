#pragma once

#include <cstdint>
#include <optional>

#include "artel/core/instant.hpp"

namespace artel::scenario {

/// How many tasks may be in the pool: one more with each answer in time per task that is there,
/// fewer when one is late.
struct AimdSettings {
  Duration target{};      ///< an answer that takes longer is late
  double decrease = 0.9;  ///< the limit is multiplied by that, once per `target` at most
  double min = 1;         ///< least limit, and the first
  double max = 1e9;       ///< greatest limit
};

/// Controlled delay (RFC 8289): the common queue may be long for a moment, but not wait for long.
struct CodelSettings {
  Duration target{};    ///< a wait that is all right …
  Duration interval{};  ///< … and for so long also a longer one
};

/// Which tasks a pool turns away though it has room: [pool.admission].
struct AdmissionSettings {
  std::optional<AimdSettings> aimd{};    ///< nothing: not by a limit
  std::optional<CodelSettings> codel{};  ///< nothing: not by waits
};

/// Workers that fail are left out for a while: [dispatch.ejection].
struct EjectionSettings {
  std::uint32_t failures = 5;  ///< attempts in a row, lost or not answered in time
  Duration time{};             ///< times how often it was left out already, this time included
  double share = 0;            ///< of the workers, at most
};

/// Callers that do not even ask while too much fails: [workload.callers.breaker].
struct BreakerSettings {
  double failures = 0;  ///< share of the last `tries` that failed
  std::uint32_t tries = 0;
  Duration open{};  ///< no try for so long; then one, which decides
};

}  // namespace artel::scenario
