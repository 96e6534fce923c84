#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include "artel/core/deadline.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/continuation.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/task_error.hpp"
#include "artel/sync/spin_lock.hpp"

namespace artel::pool {

namespace detail {

/// What the owners of a SharedFuture share: the node, and those who want a copy of its result.
template <class T>
class SharedState final : private Continuation {
 public:
  /// Keeps itself until the node is ready.
  static std::shared_ptr<SharedState> start(NodePtr<ValueNode<T>> node) {
    std::shared_ptr<SharedState> state(new SharedState(std::move(node)));
    state->self_ = state;
    if (!state->node_->attach(*state)) call(state.get());
    return state;
  }

  [[nodiscard]] ValueNode<T>& node() const { return *node_; }

  Future<T> copy() {
    NodePtr<Copy> copy(new Copy);
    auto future = FutureAccess::make(NodePtr<ValueNode<T>>::share(copy.get()));
    {
      const std::lock_guard lock(lock_);
      if (!ready_) {
        copy->next = std::exchange(copies_, copy.get());
        static_cast<void>(copy.release());
        return future;
      }
    }
    copy->copy_of(*node_);
    copy->publish();
    return future;
  }

 private:
  struct Copy final : ValueNode<T> {
    void copy_of(const ValueNode<T>& from) {
      if (const auto exception = from.exception()) {
        this->store_exception(exception);
      } else if (const auto error = from.error()) {
        this->store_error(*error);
      } else {
        this->store_call([&]() -> T {
          if constexpr (std::is_reference_v<T>) {
            return static_cast<T>(*from.look());
          } else if constexpr (!std::is_void_v<T>) {
            return from.look();
          }
        });
      }
    }
    Copy* next = nullptr;
  };

  explicit SharedState(NodePtr<ValueNode<T>> node) : node_(std::move(node)) {}

  Continuation* ready() override {
    const std::shared_ptr<SharedState> self = std::move(self_);
    Copy* next = nullptr;
    {
      const std::lock_guard lock(lock_);
      ready_ = true;
      next = std::exchange(copies_, nullptr);
    }
    Continuation* last = nullptr;
    while (next != nullptr) {
      const NodePtr<Copy> copy(std::exchange(next, next->next));
      copy->copy_of(*node_);
      call(std::exchange(last, copy->publish_first()));
    }
    return last;
  }

  const NodePtr<ValueNode<T>> node_;
  std::shared_ptr<SharedState> self_;
  sync::SpinLock lock_;  // of the rest
  bool ready_ = false;
  Copy* copies_ = nullptr;
};

}  // namespace detail

/// The result of a task, for any number of owners: `auto shared = pool.submit(f).share();`,
/// `shared.get()` in each.
///
/// Cost:    an allocation more than the Future it is made from; copies are pointers.
/// Threads: any, each with a copy of its own; the result is only read.
template <class T>
class SharedFuture {
 public:
  /// Without a task; only assigning to it makes sense.
  SharedFuture() = default;

  /// Whether it stands for a task.
  [[nodiscard]] bool valid() const { return state_ != nullptr; }
  /// As Future::ready(), wait(), wait_for() and wait_until().
  [[nodiscard]] bool ready() const { return node().poll(); }
  void wait() const { static_cast<void>(wait_until(kNever)); }
  template <class Rep, class Period>
  [[nodiscard]] bool wait_for(std::chrono::duration<Rep, Period> duration) const {
    return wait_until(later(steady_now(), to_duration(duration)));
  }
  template <class TimePoint>
  [[nodiscard]] bool wait_until(TimePoint until) const {
    Result<bool> ready = node().wait(to_instant(until));
    if (!ready) throw TaskError(std::move(ready.error()));
    return *ready;
  }

  /// The value, which stays; waits for it. Rethrows the task's exception; throws TaskError if there
  /// is neither.
  std::conditional_t<std::is_reference_v<T> || std::is_void_v<T>, T,
                     std::add_lvalue_reference_t<std::add_const_t<T>>>
  get() const {
    wait();
    if (const auto exception = node().exception()) std::rethrow_exception(exception);
    if (auto error = node().error()) throw TaskError(std::move(*error));
    if constexpr (std::is_reference_v<T>) {
      return static_cast<T>(*node().look());
    } else if constexpr (!std::is_void_v<T>) {
      return node().look();
    }
  }

  /// A Future of its own, with a copy of the result: for then(), co_await, when_all().
  [[nodiscard]] Future<T> future() const {
    static_cast<void>(node());
    return state_->copy();
  }

 private:
  friend class Future<T>;
  explicit SharedFuture(std::shared_ptr<detail::SharedState<T>> state) : state_(std::move(state)) {}

  [[nodiscard]] detail::ValueNode<T>& node() const {
    if (!valid()) throw TaskError({ErrorCode::invalid, "this SharedFuture has no task", ""});
    return state_->node();
  }

  std::shared_ptr<detail::SharedState<T>> state_;
};

template <class T>
SharedFuture<T> Future<T>::share() {
  static_cast<void>(node());
  return SharedFuture<T>(detail::SharedState<T>::start(std::move(node_)));
}

}  // namespace artel::pool
