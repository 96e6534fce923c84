#pragma once

#include <atomic>
#include <coroutine>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/future_node.hpp"

namespace artel::pool {

namespace detail {
struct FutureAccess;
}  // namespace detail

template <class T>
class Future;

/// Thrown by Future::get() and co_await when there is no result because the task never ran to one:
/// refused (full, closed), cancelled, expired, or its promise was broken.
class TaskError : public std::runtime_error {
 public:
  explicit TaskError(Error error)
      : std::runtime_error(to_string(error)), error_(std::move(error)) {}

  [[nodiscard]] const Error& error() const { return error_; }

 private:
  Error error_;
};

/// The giving end of a Future, for results that no pool task returns.
///
/// A promise that is destroyed without a result breaks: the Future gets an Error (closed).
/// Cost:    one allocation.
/// Threads: one at a time; any thread may be that one.
template <class T>
class Promise {
 public:
  Promise() : node_(new Node) {}
  Promise(Promise&&) noexcept = default;
  Promise& operator=(Promise&& other) noexcept {
    break_promise();
    node_ = std::move(other.node_);
    given_ = other.given_;
    return *this;
  }
  ~Promise() { break_promise(); }

  /// Once.
  [[nodiscard]] Future<T> future() {
    ARTEL_REQUIRE(node_ && !given_, "a promise has one future");
    given_ = true;
    return Future<T>(detail::NodePtr<detail::ValueNode<T>>::share(node_.get()));
  }

  /// Each of these gives the result, once; afterwards the promise is empty.
  template <class... Value>
  void set_value(Value&&... value) {
    Node& node = require();
    node.store_call([&]() -> T {
      if constexpr (!std::is_void_v<T>) return T(std::forward<Value>(value)...);
    });
    give();
  }
  void set_exception(std::exception_ptr exception) {
    require().store_exception(std::move(exception));
    give();
  }
  void set_error(Error error) {
    require().store_error(std::move(error));
    give();
  }
  /// The result is what `fn(args…)` returns or throws.
  template <class F, class... Args>
  void set_from(F&& fn, Args&&... args) {
    require().store_call(std::forward<F>(fn), std::forward<Args>(args)...);
    give();
  }

 private:
  using Node = detail::ValueNode<T>;

  Node& require() {
    ARTEL_REQUIRE(static_cast<bool>(node_), "the promise has given its result already");
    return *node_;
  }
  void give() {
    const detail::NodePtr<Node> node = std::move(node_);
    node->publish();
  }
  void break_promise() {
    if (node_) set_error({ErrorCode::closed, "the promise was broken: it gave no result", ""});
  }

  detail::NodePtr<Node> node_;
  bool given_ = false;
};

/// The result of a task, some day.
///
/// One owner, one result: get(), result() and then() use it up. Dropping a Future does not cancel
/// the task. Exceptions of the task arrive with the result.
/// Cost:    pointer-sized; the node it points to is the only allocation of a submitted task.
/// Threads: one at a time.
template <class T>
class [[nodiscard]] Future {
 public:
  using Value = T;
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

  /// Whether get() would return at once.
  [[nodiscard]] bool ready() const { return node().ready(); }

  /// Waits until ready. If the task is still queued it runs here, so the wait is useful and a task
  /// may wait for tasks that it submitted, even with a single worker. Otherwise sleeps; inside a
  /// worker see blocking_hook.hpp.
  void wait() const { node().wait(); }

  /// Waits at most so long; never runs the task here. Whether it is ready.
  [[nodiscard]] bool wait_for(Duration duration) const {
    return node().wait_until(later(steady_now(), duration));
  }
  [[nodiscard]] bool wait_until(Instant until) const { return node().wait_until(until); }

  /// The value; waits for it. Rethrows the task's exception; throws TaskError if there is neither.
  T get() {
    auto result = this->result();
    if (!result) throw TaskError(std::move(result.error()));
    if constexpr (!std::is_void_v<T>) return std::move(*result);
  }

  /// As get(), with the Error as a value. Still rethrows the task's own exception.
  Result<T> result() {
    wait();
    return std::exchange(node_, {})->take();
  }

  /// The Future of `fn(value)`, or of `fn()` for void. `fn` runs where the result is made, right
  /// after the task, or here and now if it is ready already: keep it short, or let it submit. An
  /// exception or Error of this Future passes by `fn` to the Future returned.
  template <class F>
  auto then(F&& fn) {
    return then_result([fn = std::forward<F>(fn)](Result<T>&& result) mutable {
      if (!result) throw TaskError(std::move(result.error()));
      if constexpr (std::is_void_v<T>) {
        return std::invoke(std::move(fn));
      } else {
        return std::invoke(std::move(fn), std::move(*result));
      }
    });
  }

  /// `co_await std::move(future)`: resumes where the result is made. Throws as get().
  auto operator co_await() && { return Awaiter(std::move(*this)); }

 private:
  friend struct detail::FutureAccess;
  friend class Promise<T>;
  template <class>
  friend class Future;

  explicit Future(detail::NodePtr<detail::ValueNode<T>> node) : node_(std::move(node)) {}

  [[nodiscard]] detail::FutureNode& node() const {
    ARTEL_REQUIRE(valid(), "this Future has no task: default-made, moved from or used up");
    return *node_;
  }

  template <class Fn>
  auto then_result(Fn&& fn) {
    using U = std::invoke_result_t<Fn&, Result<T>&&>;
    using Then = ThenNode<U, std::decay_t<Fn>>;
    detail::NodePtr<Then> node(new Then(std::move(*this), std::forward<Fn>(fn)));
    Future<U> future(detail::NodePtr<detail::ValueNode<U>>::share(node.get()));
    Then::start(std::move(node));
    return future;
  }

  // The node of a continuation: waits for `from_`, which keeps it alive until then.
  template <class U, class Fn>
  class ThenNode final : public detail::ValueNode<U>, private detail::Continuation {
   public:
    template <class Given>
    ThenNode(Future from, Given&& fn) : from_(std::move(from)), fn_(std::forward<Given>(fn)) {}

    static void start(detail::NodePtr<ThenNode> self) {
      ThenNode* const node = self.release();
      node->upstream_.store(&node->from_.node());
      node->from_.node().add_reference();
      if (!node->from_.node().attach(*node)) node->ready();
    }

   private:
    void ready() override {
      drop_upstream();
      this->store_call([this] { return std::invoke(std::move(*fn_), from_.result_or_throw()); });
      from_ = {};
      fn_.reset();
      this->publish();
      this->release();
    }
    void help() override {
      if (detail::FutureNode* const upstream = upstream_.exchange(nullptr)) {
        upstream->help_here();
        upstream->release();
      }
    }
    void drop_upstream() {
      if (detail::FutureNode* const upstream = upstream_.exchange(nullptr)) upstream->release();
    }

    Future from_;
    std::optional<Fn> fn_;
    std::atomic<detail::FutureNode*> upstream_ = nullptr;
  };

  class Awaiter final : private detail::Continuation {
   public:
    explicit Awaiter(Future future) : future_(std::move(future)) {}
    [[nodiscard]] bool await_ready() const { return future_.ready(); }
    bool await_suspend(std::coroutine_handle<> handle) {
      handle_ = handle;
      return future_.node().attach(*this);
    }
    T await_resume() { return future_.get(); }

   private:
    void ready() override { handle_.resume(); }

    Future future_;
    std::coroutine_handle<> handle_;
  };

  Result<T> result_or_throw() { return std::exchange(node_, {})->take(); }

  detail::NodePtr<detail::ValueNode<T>> node_;
};

/// A coroutine that returns Future<T> starts at once and runs where it is resumed:
/// `co_await pool.schedule()` goes on in the pool.
template <class T>
class FuturePromise {
 public:
  Future<T> get_return_object() { return promise_.future(); }
  std::suspend_never initial_suspend() noexcept { return {}; }
  std::suspend_never final_suspend() noexcept { return {}; }
  void unhandled_exception() { promise_.set_exception(std::current_exception()); }
  template <class Value>
  void return_value(Value&& value) {
    promise_.set_value(std::forward<Value>(value));
  }

 private:
  Promise<T> promise_;
};
template <>
class FuturePromise<void> {
 public:
  Future<void> get_return_object() { return promise_.future(); }
  std::suspend_never initial_suspend() noexcept { return {}; }
  std::suspend_never final_suspend() noexcept { return {}; }
  void unhandled_exception() { promise_.set_exception(std::current_exception()); }
  void return_void() { promise_.set_value(); }

 private:
  Promise<void> promise_;
};

template <class T>
class Future<T>::promise_type  // NOLINT(readability-identifier-naming)
    : public FuturePromise<T> {};

}  // namespace artel::pool
