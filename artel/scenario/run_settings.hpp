#pragma once

#include <cstdint>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/scenario/objective.hpp"

namespace artel::scenario {

/// What to leave out at the start of each replication.
struct WarmUp {
  /// What decides how much is left out: MSER-5 (automatic), a share of the tasks, a duration.
  enum class Kind : std::uint8_t { automatic /* MSER-5 */, share, duration };
  Kind kind = Kind::automatic;
  double share = 0;     ///< of the tasks
  Duration duration{};  ///< simulated time
};

/// Each replication ends at the first limit reached: tasks, duration, or the end of the trace.
struct RunSettings {
  /// The largest seed that a scenario may have: every reader of JSON keeps it exactly.
  static constexpr std::uint64_t kSeedMax = 9'000'000'000'000'000;

  std::optional<std::uint64_t> tasks;
  std::optional<Duration> duration;
  std::uint32_t replications = 10;      ///< with a precision: the fewest
  std::uint32_t replications_max = 10;  ///< with a precision: the most
  std::optional<double> precision;      ///< relative half-width wanted, 99% CI of the response's …
  Statistic precision_of = Statistic::mean;  ///< … mean, or a percentile
  WarmUp warm_up;
  Seed seed{1};
};

}  // namespace artel::scenario
