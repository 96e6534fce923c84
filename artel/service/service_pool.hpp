#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <tl/expected.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "artel/core/deadline.hpp"
#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/hosted_task.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/stop_mode.hpp"
#include "artel/service/detail/request_task.hpp"
#include "artel/service/detail/service_core.hpp"
#include "artel/service/handles.hpp"
#include "artel/service/service_options.hpp"
#include "artel/service/service_stats.hpp"

namespace artel::service {

/// A pool of workers with a state of their own, each built, used and destroyed on one thread.
///
///     struct Lookup {
///       explicit Lookup(const std::string& path);    // opens its own connection
///       Row handle(const Key& key);                  // as many requests as it has overloads
///       void handle(const Forget& what);
///       void terminate() noexcept;                   // optional: called before it is destroyed,
///     };                                             // but not when it broke
///     ServicePool<Lookup> lookup({.pool = {.workers = 4}}, "/var/lib/rows");
///     Row row = lookup.call(Key{7}).get();
///     lookup.cast(Forget{7});
///
/// Requests travel as the tasks of a Pool do: policy, bounds, priorities, deadlines, stop tokens,
/// resizing and stall detection are the same. An exception of a handler goes to whoever called; if
/// it is fatal (ServiceOptions::fatal), the worker is destroyed and built anew, after a wait that
/// grows, while its slot takes no requests. More failures than Supervision allows, constructors
/// that throw included, and the service gives up: what waits ends with the Error, calls are refused
/// with it, until restart().
///
/// A handler that waits for a Future hands its slot on, so that it takes no capacity: meanwhile
/// another thread serves, with a worker of its own; the one that waited is destroyed when its
/// handler returns. The same happens to a worker that stalls.
/// Cost:    call about as Pool::submit; one allocation, cast as well.
/// Threads: any thread may call, cast, ask, resize, restart and stop, handlers too. Destroying the
///          service drains it, and is for one thread that is not its worker.
/// Source:  YAWP's worker behaviour; supervisors of Erlang/OTP.
template <class Worker>
class ServicePool {
 public:
  using Options = ServiceOptions;
  using Factory = std::function<std::unique_ptr<Worker>(WorkerId)>;

  /// Workers are `Worker(args…)`, with the arguments copied. Options that do not pass check() break
  /// the contract; see create(). Returns before the workers are built; see wait_serving().
  template <class... Args>
    requires std::is_constructible_v<Worker, const std::decay_t<Args>&...>
  explicit ServicePool(ServiceOptions options, Args&&... args)
      : ServicePool(
            std::move(options), Factory([kept = std::tuple<std::decay_t<Args>...>(
                                             std::forward<Args>(args)...)](WorkerId /*id*/) {
              return std::apply(
                  [](const auto&... each) { return std::make_unique<Worker>(each...); }, kept);
            })) {}
  /// Workers are what `factory(id)` makes. Threads: it is called by several workers at once.
  ServicePool(ServiceOptions options, Factory factory)
      : core_(std::make_unique<detail::ServiceCore>(checked(std::move(options)),
                                                    erased(std::move(factory)))) {}
  /// Errors: options out of range, no more threads.
  template <class... Args>
  [[nodiscard]] static Result<std::unique_ptr<ServicePool>> create(ServiceOptions options,
                                                                   Args&&... args) {
    auto good = check(std::move(options));
    if (!good) return fail(good);
    try {
      return std::make_unique<ServicePool>(std::move(*good), std::forward<Args>(args)...);
    } catch (const std::system_error& error) {
      return fail(ErrorCode::unsupported, std::string("cannot start the workers: ") + error.what());
    }
  }

  // ---- Requests. A refusal (full, closed, given up) is the Error of the answer.

  /// The Future of what `handle(request)` returns. When the pool is full, waits or refuses as
  /// PoolOptions::when_full says.
  template <class Request>
    requires Handles<Worker, std::decay_t<Request>>
  auto call(Request&& request, const pool::SubmitOptions& options = {}) {
    using Reply = ReplyOf<Worker, std::decay_t<Request>>;
    auto future = call_until(std::forward<Request>(request), core_->pool().patience(), options);
    return future ? std::move(*future) : pool::Future<Reply>::refused(std::move(future.error()));
  }
  /// Never waits for room.
  template <class Request>
    requires Handles<Worker, std::decay_t<Request>>
  [[nodiscard]] auto try_call(Request&& request, const pool::SubmitOptions& options = {}) {
    return call_until(std::forward<Request>(request), Instant::min(), options);
  }
  /// Waits for room until that time (steady_now()). Errors: full, timeout, closed, given up.
  template <class Request>
    requires Handles<Worker, std::decay_t<Request>>
  [[nodiscard]] auto call_until(Request&& request, Instant until,
                                const pool::SubmitOptions& options = {})
      -> Result<pool::Future<ReplyOf<Worker, std::decay_t<Request>>>> {
    return submit(std::forward<Request>(request), detail::Asked::yes, until, options);
  }

  /// Has the request handled, and drops the reply; exceptions go to PoolOptions::on_exception. When
  /// the pool is full, waits or refuses as PoolOptions::when_full says. Errors: as call_until().
  template <class Request>
    requires Handles<Worker, std::decay_t<Request>>
  Result<void> cast(Request&& request, const pool::SubmitOptions& options = {}) {
    const auto dropped = submit(std::forward<Request>(request), detail::Asked::no,
                                core_->pool().patience(), options);
    return dropped ? Result<void>{} : fail(dropped);
  }

  // ---- Life

  /// Waits until every worker is built. Errors: given up (with the cause), closed, timeout.
  [[nodiscard]] Result<void> wait_serving(Instant until = kNever) {
    return core_->wait_serving(until);
  }
  /// After the service has given up: builds the missing workers, and takes requests again.
  /// Otherwise does nothing.
  void restart() { core_->restart(); }
  /// Why the service has given up, if it has.
  [[nodiscard]] std::optional<Error> error() const {
    return core_->given_up() ? std::optional<Error>(core_->error()) : std::nullopt;
  }

  /// As in Pool: resize(), wait_resized(), wait_idle(), stop(), stopped(), size(). Errors: its.
  [[nodiscard]] Result<void> resize(unsigned workers) { return core_->resize(workers); }
  [[nodiscard]] bool wait_resized(Instant until = kNever) {
    return core_->pool().wait_resized(until);
  }
  [[nodiscard]] bool wait_idle(Instant until = kNever) { return core_->pool().wait_idle(until); }
  void stop(pool::StopMode mode = pool::StopMode::drain) { core_->stop(mode); }
  [[nodiscard]] std::vector<pool::RunningTask> stop(pool::StopMode mode, Deadline until) {
    return core_->stop(mode, until);
  }
  [[nodiscard]] bool stopped() const { return core_->pool().stopped(); }

  /// record(), stop_recording(): every request; see Pool::record(). Errors: its.
  [[nodiscard]] Result<void> record(const std::string& file,
                                    const pool::RecordOptions& options = {}) {
    return core_->pool().record(file, options);
  }
  Result<trace::Recording> stop_recording() { return core_->pool().stop_recording(); }

  [[nodiscard]] unsigned size() const { return core_->pool().size(); }

  /// As given, with every 0 that stands for "as fits here" replaced.
  [[nodiscard]] const ServiceOptions& options() const { return core_->options(); }
  /// A snapshot; about a microsecond per worker.
  [[nodiscard]] ServiceStats stats() const { return core_->stats(); }

 private:
  static ServiceOptions checked(ServiceOptions options) {
    auto result = check(std::move(options));
    ARTEL_REQUIRE(result.has_value(), "service options", result.error().what);
    return std::move(*result);
  }

  static detail::ServiceCore::Factory erased(Factory factory) {
    return [factory = std::move(factory)](WorkerId id) {
      std::unique_ptr<Worker> worker = factory(id);
      if (worker == nullptr) throw WorkerFailure("the factory made no worker");
      return detail::ServiceCore::Object(
          worker.release(), [](void* object, detail::ServiceCore::Removal why) {
            const std::unique_ptr<Worker> last(static_cast<Worker*>(object));
            if constexpr (requires { last->terminate(); }) {
              static_assert(noexcept(last->terminate()), "terminate() must be noexcept");
              if (why != detail::ServiceCore::Removal::broken) last->terminate();
            }
          });
    };
  }

  template <class Request>
  auto submit(Request&& request, detail::Asked asked, Instant until,
              const pool::SubmitOptions& options)
      -> Result<pool::Future<ReplyOf<Worker, std::decay_t<Request>>>> {
    using Task = detail::RequestTask<Worker, std::decay_t<Request>>;
    if (core_->given_up()) return tl::unexpected<Error>(core_->error());
    std::unique_ptr<pool::HostedTask<typename Task::Reply>> task =
        std::make_unique<Task>(*core_, std::forward<Request>(request), asked);
    return core_->pool().submit_hosted(std::move(task), until, options);
  }

  std::unique_ptr<detail::ServiceCore> core_;
};

}  // namespace artel::service
