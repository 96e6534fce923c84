#pragma once

#include <coroutine>
#include <utility>

#include "artel/pool/detail/continuation.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/future.hpp"

namespace artel::pool {
namespace detail {

/// A coroutine that returns Future<T> starts at once and runs where it is resumed:
/// `co_await pool.schedule()` goes on in the pool. Its result is there when its frame is about to
/// go; what waits for it is called then, by call(), and not by symmetric transfer, which needs
/// stack where the compiler does not optimise.
template <class T>
class CoroutinePromise {
 public:
  CoroutinePromise() : node_(new ValueNode<T>) {}
  CoroutinePromise(const CoroutinePromise&) = delete;
  CoroutinePromise& operator=(const CoroutinePromise&) = delete;
  ~CoroutinePromise() {
    if (node_) node_->refuse(broken_promise());
  }

  Future<T> get_return_object() {
    return FutureAccess::make(NodePtr<ValueNode<T>>::share(node_.get()));
  }
  std::suspend_never initial_suspend() noexcept { return {}; }
  std::suspend_never final_suspend() noexcept {
    const NodePtr<ValueNode<T>> node = std::move(node_);
    node->publish();
    return {};
  }
  void unhandled_exception() { node_->store_current_exception(); }

 protected:
  ValueNode<T>& node() { return *node_; }

 private:
  NodePtr<ValueNode<T>> node_;
};

}  // namespace detail

template <class T>
class Future<T>::promise_type  // NOLINT(readability-identifier-naming)
    : public detail::CoroutinePromise<T> {
 public:
  template <class Result>
  void return_value(Result&& result) {
    this->node().store_call([&]() -> T { return std::forward<Result>(result); });
  }
};

template <>
class Future<void>::promise_type  // NOLINT(readability-identifier-naming)
    : public detail::CoroutinePromise<void> {
 public:
  void return_void() {
    node().store_call([] {});
  }
};

}  // namespace artel::pool
