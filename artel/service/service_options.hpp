#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/service/supervision.hpp"

namespace artel::service {

/// Thrown by a service's worker to say that it is broken, not just the request: it is destroyed and
/// built anew.
class WorkerFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Which exceptions of a handler break its worker. All others go to whoever asked, and the worker
/// goes on.
enum class Fatal : std::uint8_t {
  worker_failure,  ///< WorkerFailure and what derives from it
  any_exception,   ///< whatever a handler throws
};

/// A worker that broke, or could not be built.
struct WorkerLoss {
  WorkerId worker{};
  std::exception_ptr cause;        ///< what it threw
  bool built = false;              ///< false: it was its constructor that threw
  std::optional<Duration> wait{};  ///< until it is built anew; nothing: the service gives up
};

/// How a ServicePool is made.
struct ServiceOptions {
  pool::PoolOptions pool{};  ///< threads, queues, policy, hooks: everything works as in a Pool
  Supervision supervision{};
  Fatal fatal = Fatal::worker_failure;
  /// A request whose worker breaks is tried again, by whoever is free, so many times; then it
  /// fails with the exception. Only requests that `handle` takes by value (copied) or by const
  /// reference can be tried again.
  unsigned retries = 0;
  /// Instead of pool.beacon_every. 0: none, so that an idle service wakes nobody; but with a
  /// beacon_limit four in that time, and five a second at least.
  Duration beacon_every{};
  Duration beacon_limit = kForever;                  ///< instead of pool.beacon_limit
  std::function<void(const WorkerLoss&)> on_loss{};  ///< on the worker's thread

  /// The largest `retries`, and the largest Supervision::restarts_max: kRetriesMax, kRestartsMax.
  static constexpr unsigned kRetriesMax = 1000;
  static constexpr unsigned kRestartsMax = 100'000;
};

/// The same with everything filled in, as for PoolOptions. Errors: invalid, with the field, the
/// value and the range.
[[nodiscard]] Result<ServiceOptions> check(ServiceOptions options);

}  // namespace artel::service
