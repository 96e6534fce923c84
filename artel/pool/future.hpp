#pragma once

#include <chrono>
#include <coroutine>
#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "artel/core/deadline.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/continuation.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/promise.hpp"
#include "artel/pool/task_error.hpp"

namespace artel::pool {

namespace detail {
struct FutureAccess;
template <class T, class Fn, class Executor>
class ThenNode;
template <class T>
class UnwrapNode;

template <class T>
inline constexpr bool kIsFuture = false;
template <class T>
inline constexpr bool kIsFuture<Future<T>> = true;
}  // namespace detail

template <class T>
class SharedFuture;

/// The result of a task, some day.
///
/// One owner, one result: get(), result(), then() and share() use it up; after that, as before it
/// has a task, all but valid() throw TaskError. Dropping a Future does not cancel the task.
/// Exceptions of the task arrive with the result.
///
/// Only workers run tasks, never the thread that waits; but a worker that waits for a task of its
/// own pool that is still queued runs it then and there.
/// Cost:    pointer-sized; the node it points to is the only allocation of a submitted task.
/// Threads: one at a time.
template <class T>
class [[nodiscard]] Future {
 public:
  using Value = T;
  /// Of a reference as std::reference_wrapper.
  using Expected =
      Result<std::conditional_t<std::is_reference_v<T>,
                                std::reference_wrapper<std::remove_reference_t<T>>, T>>;
  class promise_type;  // NOLINT(readability-identifier-naming): the language asks for this name

  /// Without a task; only assigning to it makes sense.
  Future() = default;
  /// Ready at once, without a result.
  [[nodiscard]] static Future refused(Error error) {
    Promise<T> promise;
    Future future = promise.future();
    promise.set_error(std::move(error));
    return future;
  }

  /// Whether there is a result to take.
  [[nodiscard]] bool valid() const { return static_cast<bool>(node_); }

  /// Whether get() would return at once. A task may ask in a loop: every few times it lets another
  /// task have its worker.
  [[nodiscard]] bool ready() const { return node().poll(); }

  /// Waits until ready. A task lends its worker meanwhile, so that waiting never stops the pool;
  /// throws TaskError if there is no thread to lend it to.
  void wait() const { static_cast<void>(wait_until(kNever)); }
  /// Waits at most so long, any std::chrono duration; whether it is ready.
  template <class Rep, class Period>
  [[nodiscard]] bool wait_for(std::chrono::duration<Rep, Period> duration) const {
    return wait_until(later(steady_now(), to_duration(duration)));
  }
  /// Waits until then at most, a time_point of any clock; whether it is ready.
  template <class TimePoint>
  [[nodiscard]] bool wait_until(TimePoint until) const {
    Result<bool> ready = node().wait(to_instant(until));
    if (!ready) throw TaskError(std::move(ready.error()));
    return *ready;
  }

  /// The value; waits for it. Rethrows the task's exception; throws TaskError if there is neither.
  T get() {
    auto result = take();
    if (!result) throw TaskError(std::move(result.error()));
    if constexpr (std::is_reference_v<T>) {
      return static_cast<T>(**result);
    } else if constexpr (!std::is_void_v<T>) {
      return std::move(*result);
    }
  }

  /// As get(), with the Error as a value, also one that a task, a continuation or a coroutine threw
  /// as a TaskError. Still rethrows what else these threw.
  Expected result() {
    auto result = take();
    if (!result) return tl::unexpected<Error>(std::move(result.error()));
    if constexpr (std::is_void_v<T>) {
      return {};
    } else if constexpr (std::is_reference_v<T>) {
      return std::ref(**result);
    } else {
      return std::move(*result);
    }
  }

  /// The Future of `fn(value)`, or of `fn()` for void; what that returns as a Future is unwrapped.
  /// `fn` runs where the result is made, right after the task, or here and now if it is ready
  /// already: keep it short, or name an executor. An exception or Error of this Future passes by
  /// `fn` to the Future returned, unless `fn` takes a Future<T>: that gets this one, ready,
  /// whatever its result.
  template <class Fn>
  auto then(Fn&& fn);
  /// The same, with `fn` as a task of `executor`: a Pool, a Strand, or whatever has
  /// post(callable). It must live until then. If it refuses, the Future returned has the Error.
  template <class Executor, class Fn>
  auto then(Executor& executor, Fn&& fn);

  /// The Future of the inner Future's result, for a Future of a Future.
  auto unwrap()
    requires detail::kIsFuture<T>;

  /// The same result for any number of owners (shared_future.hpp).
  [[nodiscard]] SharedFuture<T> share();

  /// `co_await std::move(future)`: resumes where the result is made. Throws as get().
  auto operator co_await() && { return Awaiter(std::move(*this)); }

 private:
  friend struct detail::FutureAccess;
  friend class Promise<T>;

  explicit Future(detail::NodePtr<detail::ValueNode<T>> node) : node_(std::move(node)) {}

  [[nodiscard]] detail::ValueNode<T>& node() const {
    if (!valid()) {
      throw TaskError({ErrorCode::invalid,
                       "this Future has no task: default-made, moved from, or its result taken",
                       ""});
    }
    return *node_;
  }
  auto take() {
    wait();
    return std::exchange(node_, {})->take();
  }

  class Awaiter final : private detail::Continuation {
   public:
    explicit Awaiter(Future future) : future_(std::move(future)) {}
    [[nodiscard]] bool await_ready() const { return future_.node().ready(); }
    bool await_suspend(std::coroutine_handle<> handle) {
      handle_ = handle;
      return future_.node().attach(*this);
    }
    T await_resume() { return future_.get(); }

   private:
    Continuation* ready() override {
      handle_.resume();
      return nullptr;
    }

    Future future_;
    std::coroutine_handle<> handle_;
  };

  detail::NodePtr<detail::ValueNode<T>> node_;
};

namespace detail {

/// What the inside of the pool may do with Futures, and their users may not.
struct FutureAccess {
  template <class T>
  [[nodiscard]] static Future<T> make(NodePtr<ValueNode<T>> node) {
    return Future<T>(std::move(node));
  }
  template <class T>
  [[nodiscard]] static ValueNode<T>& node(const Future<T>& future) {
    return future.node();
  }
};

}  // namespace detail
}  // namespace artel::pool

#include "artel/pool/detail/coroutine_promise.hpp"  // IWYU pragma: export
#include "artel/pool/detail/then_node.hpp"          // IWYU pragma: export
