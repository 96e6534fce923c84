#pragma once

#include <exception>
#include <type_traits>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/require.hpp"
#include "artel/pool/detail/future_node.hpp"

namespace artel::pool {

template <class T>
class Future;

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
    return Future<T>(detail::NodePtr<Node>::share(node_.get()));
  }

  /// Each of these, set_value(), set_exception(), set_error() and set_from(), gives the result,
  /// once; afterwards the promise is empty. Continuations of the Future have run, on this thread,
  /// when it returns.
  template <class... Value>
  void set_value(Value&&... value) {
    require().store_call([&]() -> T {
      if constexpr (std::is_reference_v<T>) {
        return static_cast<T>((std::forward<Value>(value), ...));
      } else if constexpr (!std::is_void_v<T>) {
        return T(std::forward<Value>(value)...);
      }
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
    if (node_) set_error(detail::broken_promise());
  }

  detail::NodePtr<Node> node_;
  bool given_ = false;
};

}  // namespace artel::pool
