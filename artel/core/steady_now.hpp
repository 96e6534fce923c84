#pragma once

#include "artel/core/instant.hpp"

namespace artel {

/// Time that never goes back, since some point in the past (std::chrono::steady_clock): for
/// deadlines and for what took how long. About 30 ns.
[[nodiscard]] Instant steady_now();

/// Time since 1970-01-01 00:00 UTC (std::chrono::system_clock): for people and for files. It jumps
/// when somebody sets the clock.
[[nodiscard]] Duration wall_now();

}  // namespace artel
