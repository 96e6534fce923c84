#pragma once

#include <cstdint>
#include <optional>

#include "artel/core/instant.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/admission_settings.hpp"

namespace artel::scenario {

/// What a worker is spared of the attempts that nobody waits for any more.
enum class Spared : std::uint8_t {
  nothing,  ///< it does not hear of it, and serves them all the same
  waiting,  ///< those that it has not begun
  all,      ///< those in service, too; but for a batch, which goes on
};

/// How much of the time before a retry is left to chance.
enum class Jitter : std::uint8_t {
  none,   ///< nothing
  equal,  ///< half of it: uniform between half and all
  full,   ///< uniform between nothing and all
};

/// What callers do when a try has failed: refused, lost, or not answered in time.
struct RetrySettings {
  std::uint32_t most = 0;       ///< tries after the first
  Duration backoff{};           ///< before the first retry …
  double factor = 2;            ///< … times this before each further one …
  Duration longest = kForever;  ///< … up to this
  Jitter jitter = Jitter::none;
};

/// One more attempt while the first is not answered yet; the first answer counts.
struct HedgeSettings {
  std::uint32_t most = 1;  ///< of a try
  Duration after{};        ///< since the attempt before; without a quantile
  double quantile = 0;     ///< after this share of all answers so far had come; 0: see `after`
};

/// What those who send tasks do about answers that do not come: [workload.callers].
///
/// A request is what a caller wants, an attempt a task that is sent for it. A try is what is sent
/// at once, and the hedges that follow.
struct CallerSettings {
  std::optional<random::Distribution> timeout;  ///< of a try, in seconds; nothing: for ever
  Spared cancel = Spared::nothing;
  RetrySettings retry;
  std::optional<double> budget;        ///< retries and hedges per request, on average
  double burst = 10;                   ///< how many may be saved up of it
  std::optional<HedgeSettings> hedge;  ///< nothing: they wait for the first
  std::uint32_t copies = 1;            ///< attempts that are sent at once, to as many workers
  bool tied = false;  ///< when one begins, those that have not are taken back, whatever `cancel`
  std::optional<BreakerSettings> breaker;  ///< nothing: they always ask
  bool redraw = false;  ///< every attempt has a service time of its own, not the request's

  /// Whether they send every request once and wait.
  [[nodiscard]] bool plain() const {
    return !timeout && retry.most == 0 && !hedge && copies == 1 && !breaker;
  }
};

}  // namespace artel::scenario
