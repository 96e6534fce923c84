#pragma once

#include <asio/associated_cancellation_slot.hpp>
#include <asio/associated_executor.hpp>
#include <asio/cancellation_type.hpp>
#include <asio/error.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/post.hpp>
#include <asio/system_error.hpp>
#include <asio/use_awaitable.hpp>
#include <concepts>
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "artel/interop/detail/context_waits.hpp"
#include "artel/pool/future.hpp"

namespace artel::interop::detail {

template <class T>
struct WaitSignature {
  static_assert(std::default_initializable<T>, "a wait that fails hands its handler an empty T");
  using Type = void(std::exception_ptr, T);
};
template <>
struct WaitSignature<void> {
  using Type = void(std::exception_ptr);
};

/// Asio knows of coroutines only where it trusts the compiler with them.
#ifdef ASIO_HAS_CO_AWAIT
using CoroutineToken = asio::use_awaitable_t<>;
#else
struct CoroutineToken;
#endif

/// A handler that two may want to call: the Future that becomes ready, and whoever cancels. The
/// first one posts it to its executor, which is kept from running dry until then. If its context is
/// destroyed before, it goes with it.
template <class T, class Handler>
class PendingWait final : public ContextWait,
                          public std::enable_shared_from_this<PendingWait<T, Handler>> {
 public:
  explicit PendingWait(Handler handler)
      : work_(asio::get_associated_executor(handler)),
        handler_(std::move(handler)),
        list_(waits_of(work_->get_executor())) {}

  /// False: the context has ended.
  [[nodiscard]] bool start() { return list_->add(this->shared_from_this()); }

  void cancel_by(asio::cancellation_slot slot, std::stop_source stop) {
    if (!slot.is_connected()) return;
    slot.assign([self = this->shared_from_this(),
                 stop = std::move(stop)](asio::cancellation_type_t type) mutable {
      if (type == asio::cancellation_type::none) return;
      stop.request_stop();
      self->end(std::make_exception_ptr(asio::system_error(asio::error::operation_aborted)));
    });
  }

  template <class... Value>
  void end(std::exception_ptr error, Value... value) {
    if (!list_->take(*this)) return;
    const Posting posting{*list_};
    // NOLINTBEGIN(bugprone-unchecked-optional-access): take() is true once, so both are there
    const auto executor = work_->get_executor();
    asio::post(executor, [work = *std::exchange(work_, std::nullopt),
                          handler = *std::exchange(handler_, std::nullopt),
                          error = std::move(error), ... value = std::move(value)]() mutable {
      // NOLINTEND(bugprone-unchecked-optional-access)
      asio::get_associated_cancellation_slot(handler).clear();  // where slots are emitted
      work.reset();
      if constexpr (std::is_void_v<T> || sizeof...(value) == 1) {
        handler(std::move(error), std::move(value)...);
      } else {
        handler(std::move(error), T());
      }
    });
  }

 private:
  // Its context is not destroyed before post() is done with it.
  struct Posting {
    ContextWaits& list;
    ~Posting() { list.posted(); }
  };

  void abandon() override {
    handler_.reset();
    work_.reset();
  }

  std::optional<asio::executor_work_guard<asio::associated_executor_t<Handler>>> work_;
  std::optional<Handler> handler_;
  const std::shared_ptr<ContextWaits> list_;
};

/// A coroutine that nobody waits for.
struct Detached {
  struct promise_type {  // NOLINT(readability-identifier-naming): the language asks for this name
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    [[noreturn]] void unhandled_exception() { std::terminate(); }
  };
};

template <class T, class Handler>
Detached deliver(pool::Future<T> future, std::shared_ptr<PendingWait<T, Handler>> wait) {
  std::exception_ptr error;
  try {
    if constexpr (std::is_void_v<T>) {
      co_await std::move(future);
      wait->end(nullptr);
    } else {
      T value = co_await std::move(future);
      wait->end(nullptr, std::move(value));
    }
    co_return;
  } catch (...) {
    error = std::current_exception();
  }
  wait->end(std::move(error));
}

template <class T, class Handler>
void start_wait(Handler handler, pool::Future<T> future, std::stop_source stop) {
  const auto slot = asio::get_associated_cancellation_slot(handler);
  const auto wait = std::make_shared<PendingWait<T, Handler>>(std::move(handler));
  if (!wait->start()) return;
  wait->cancel_by(slot, std::move(stop));
  deliver(std::move(future), wait);
}

}  // namespace artel::interop::detail
