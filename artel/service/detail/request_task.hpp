#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <tl/expected.hpp>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/pool/hosted_task.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/service/detail/service_core.hpp"
#include "artel/service/handles.hpp"

namespace artel::service::detail {

/// Whether anybody will ask for the reply; an exception that nobody would see goes to
/// PoolOptions::on_exception.
enum class Asked : std::uint8_t { no, yes };

/// A request in the queues of a service: one allocation that holds the request, its conditions and
/// the reply.
///
/// Threads: as HostedTask.
template <class Worker, class Request>
class RequestTask final : public pool::HostedTask<ReplyOf<Worker, Request>> {
 public:
  using Reply = ReplyOf<Worker, Request>;

  RequestTask(ServiceCore& service, Request request, Asked asked)
      : service_(service),
        request_(std::move(request)),
        retries_(kRetriable ? service.options().retries : 0),
        asked_(asked) {}

 private:
  static constexpr bool kRetriable =
      requires(Worker& worker, const Request& request) { worker.handle(request); };

  Result<bool> can_start_here() override {
    if (service_.given_up()) return tl::unexpected<Error>(service_.error());
    worker_ = static_cast<Worker*>(service_.object());
    if (worker_ != nullptr) return true;
    service_.have_object_built();  // V3
    return false;
  }

  std::optional<pool::TaskOutcome> attempt() override {
    std::exception_ptr fatal;
    const pool::TaskOutcome outcome = this->keep([&] { return handle(fatal); });
    if (!fatal) return outcome;
    service_.broke(std::move(fatal));
    if (retries_ == 0) return outcome;
    --retries_;
    service_.count_retry();
    return std::nullopt;
  }

  // `fatal` becomes the exception, if that breaks the worker.
  Reply handle(std::exception_ptr& fatal) {
    // NOLINTBEGIN(bugprone-unchecked-optional-access): there is a request until the task has ended
    try {
      if constexpr (kRetriable) {
        if (retries_ > 0) return worker_->handle(std::as_const(*request_));
      }
      return worker_->handle(std::move(*request_));
    } catch (...) {
      if (service_.fatal()) fatal = std::current_exception();
      if (asked_ == Asked::no && (!fatal || retries_ == 0)) service_.unclaimed_exception();
      throw;
    }
    // NOLINTEND(bugprone-unchecked-optional-access)
  }

  void ended() override { request_.reset(); }

  ServiceCore& service_;
  Worker* worker_ = nullptr;  // of the thread that it was last tried on
  std::optional<Request> request_;
  unsigned retries_;
  Asked asked_;
};

}  // namespace artel::service::detail
