#pragma once

#include <asio/async_result.hpp>
#include <concepts>
#include <stop_token>
#include <utility>

#include "artel/interop/detail/pending_wait.hpp"
#include "artel/pool/future.hpp"

namespace artel::interop {

/// Waits for a Future as an asynchronous operation of Asio.
///
///     asio::awaitable<Page> load(pool::Pool& pool, Key key) {
///       co_return co_await interop::async_wait(pool.submit([key] { return render(key); }));
///     }
///
/// The handler takes (std::exception_ptr, T), or (std::exception_ptr) for a Future<void>: what the
/// task threw, or a TaskError if there is no result. It is called through its own executor, never
/// inside async_wait. Cancellation of any type ends the wait with asio::error::operation_aborted,
/// and the task goes on; unless the `stop` with which it was submitted (SubmitOptions::stop) is
/// given here, too: then a task that waits is cancelled, one that takes a std::stop_token asked.
/// A context of Asio that is destroyed meanwhile destroys the handler without calling it, as those
/// of its own operations; the task goes on. Cost:     three allocations, and a lock of the
/// context's list of waits twice. Requires: T can be made without arguments.
template <class T, class Token = detail::CoroutineToken>
auto async_wait(pool::Future<T> future, std::stop_source stop, Token&& token = {}) {
  using Signature = typename detail::WaitSignature<T>::Type;
  return asio::async_initiate<Token, Signature>(
      [](auto handler, pool::Future<T> awaited, std::stop_source on_cancel) {
        detail::start_wait(std::move(handler), std::move(awaited), std::move(on_cancel));
      },
      token, std::move(future), std::move(stop));
}
template <class T, class Token = detail::CoroutineToken>
  requires(!std::convertible_to<Token, std::stop_source>)
auto async_wait(pool::Future<T> future, Token&& token = {}) {
  return async_wait(std::move(future), std::stop_source(std::nostopstate),
                    std::forward<Token>(token));
}

}  // namespace artel::interop
