#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/service/detail/service_core.hpp"

namespace artel::service::detail {

/// What `Worker::handle` returns for a Request.
template <class Worker, class Request>
using ReplyOf = decltype(std::declval<Worker&>().handle(std::declval<Request>()));

/// A class whose objects answer a Request.
template <class Worker, class Request>
concept Handles = requires { typename ReplyOf<Worker, Request>; };

/// Whether anybody will ask for the reply; an exception that nobody would see goes to
/// PoolOptions::on_exception.
enum class Asked : std::uint8_t { no, yes };

/// A request in the queues of a service: one allocation that holds the request, its conditions and
/// the reply.
///
/// Threads: as FutureNode.
template <class Worker, class Request>
class RequestNode final : public pool::detail::ValueNode<ReplyOf<Worker, Request>> {
 public:
  using Reply = ReplyOf<Worker, Request>;
  using Pointer = pool::detail::NodePtr<RequestNode>;

  RequestNode(ServiceCore& service, Request request, Asked asked)
      : service_(service),
        request_(std::move(request)),
        retries_(kRetriable ? service.options().retries : 0),
        asked_(asked) {}

  /// What a queue holds of it.
  struct Body {
    Pointer node;

    std::optional<trace::TaskOutcome> run(pool::detail::Runner& runner) {
      RequestNode::run(std::move(node), runner);
      return std::nullopt;
    }
    std::optional<trace::TaskOutcome> drop(pool::detail::Runner& runner,
                                           trace::TaskOutcome outcome) {
      node->end_unstarted(runner, outcome, pool::detail::error_of(outcome));
      return std::nullopt;
    }
    pool::detail::TaskTimes* times() { return node->measured() ? &node->conditions() : nullptr; }
  };

 private:
  static constexpr bool kRetriable =
      requires(Worker& worker, const Request& request) { worker.handle(request); };

  [[nodiscard]] bool measured() { return this->conditions().wanted(); }

  // Ends the request, or puts it back.
  static void run(Pointer self, pool::detail::Runner& runner) {
    RequestNode& node = *self;
    if (node.service_.given_up()) {
      return node.end_unstarted(runner, trace::TaskOutcome::cancelled, node.service_.error());
    }
    auto* const worker = static_cast<Worker*>(node.service_.object());
    if (worker == nullptr)
      return node.service_.put_back(pool::detail::Job(Body{std::move(self)}), false);
    if (node.measured()) {
      if (const auto refused = runner.begin(node.conditions())) {
        return node.end_unstarted(runner, *refused, pool::detail::error_of(*refused));
      }
    }
    std::exception_ptr fatal;
    const trace::TaskOutcome outcome = node.attempt(*worker, runner, fatal);
    if (fatal) {
      node.service_.broke(std::move(fatal));
      if (node.retries_ > 0) {
        --node.retries_;
        if (node.measured()) runner.put_off();
        return node.service_.put_back(pool::detail::Job(Body{std::move(self)}), true);
      }
    }
    if (node.measured()) runner.end(node.conditions(), outcome);
    node.finish(runner, outcome);
  }

  trace::TaskOutcome attempt(Worker& worker, pool::detail::Runner& runner,
                             std::exception_ptr& fatal) {
    return this->store_call([&]() -> Reply {
      try {
        if constexpr (kRetriable) {
          if (retries_ > 0) return worker.handle(std::as_const(*request_));
        }
        return worker.handle(std::move(*request_));
      } catch (...) {
        if (service_.fatal()) fatal = std::current_exception();
        if (asked_ == Asked::no && (!fatal || retries_ == 0)) runner.unclaimed_exception();
        throw;
      }
    });
  }

  void end_unstarted(pool::detail::Runner& runner, trace::TaskOutcome outcome, Error error) {
    this->store_error(std::move(error));
    if (measured()) runner.discard(this->conditions(), outcome);
    finish(runner, outcome);
  }

  void finish(pool::detail::Runner& runner, trace::TaskOutcome outcome) {
    request_.reset();
    runner.account(outcome);
    this->publish();
  }

  ServiceCore& service_;
  std::optional<Request> request_;
  unsigned retries_;
  Asked asked_;
};

}  // namespace artel::service::detail
