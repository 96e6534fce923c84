#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/pool_stats.hpp"

namespace artel::service {

/// What a service's worker is at.
enum class WorkerState : std::uint8_t {
  vacant,    ///< there is no thread for it: the pool is smaller, or stopped
  starting,  ///< is being built
  serving,
  late,     ///< serving, but a beacon has been waiting for it for longer than beacon_limit
  waiting,  ///< broke, or could not be built; is built anew after a wait
  lost,     ///< is not there, because the service has given up
};

/// "vacant", "starting", …
[[nodiscard]] std::string_view name(WorkerState state);

/// The worker of one slot. Its beacons are in the WorkerStats of the pool.
struct WorkerHealth {
  WorkerState state = WorkerState::vacant;
  Duration since{};            ///< in this state (late: counts as serving)
  Duration wait{};             ///< waiting: until it is built anew
  std::uint64_t built = 0;     ///< how often, since the service was made
  std::uint64_t failures = 0;  ///< how often it broke or could not be built
  std::string last_failure;    ///< what was thrown then; empty: nothing yet
};

/// A service at one moment.
struct ServiceStats {
  pool::PoolStats pool;
  std::vector<WorkerHealth> workers;  ///< as pool.workers
  std::uint64_t built = 0;            ///< workers, all together
  std::uint64_t failures = 0;         ///< of workers, those of constructors included
  std::uint64_t retried = 0;          ///< requests that were put back because their worker broke
  std::optional<Error> error;         ///< why the service has given up, if it has
};

}  // namespace artel::service
