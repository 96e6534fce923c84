#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "artel/core/deadline.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/continuation.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/scope_state.hpp"
#include "artel/pool/pool.hpp"

namespace artel::pool {

namespace detail {

/// A task of a scope.
template <class F>
class ScopeNode final : public ValueNode<void>, private Continuation {
 public:
  ScopeNode(std::shared_ptr<ScopeState> scope, F fn)
      : scope_(std::move(scope)), fn_(std::move(fn)) {}

  /// Has the scope told when it has ended; keeps itself until then.
  void start() {
    add_reference_unshared();
    scope_->open.fetch_add(1);
    static_cast<void>(attach(*this));
  }
  /// Instead of all that, if it could not be queued.
  void take_back() {
    scope_->task_ended();
    release();
  }

 private:
  TaskOutcome call_task() override {
    if (scope_->stop.stop_requested()) return end(TaskOutcome::cancelled);
    const TaskOutcome outcome = store_call([this] {
      if constexpr (std::is_invocable_v<F&>) {
        std::invoke(*fn_);
      } else {
        std::invoke(*fn_, scope_->stop.get_token());
      }
    });
    if (outcome == TaskOutcome::failed) {
      const auto thrown = exception();
      const auto error = this->error();
      scope_->fail(thrown || !error ? thrown : std::make_exception_ptr(TaskError(*error)));
    }
    return end(outcome);
  }
  TaskOutcome end(TaskOutcome outcome) {
    fn_.reset();
    return outcome;
  }
  [[nodiscard]] const void* group() const override { return scope_.get(); }

  Continuation* ready() override {
    const std::shared_ptr<ScopeState> scope = std::move(scope_);
    if (const auto refused = error(); refused && !scope->stop.stop_requested()) {
      scope->fail(std::make_exception_ptr(TaskError(*refused)));
    }
    release();
    scope->task_ended();
    return nullptr;
  }

  std::shared_ptr<ScopeState> scope_;
  std::optional<F> fn_;
};

}  // namespace detail

/// Tasks that end before their scope does.
///
///     artel::pool::TaskScope scope(pool);
///     for (Row& row : rows) scope.spawn([&row] { update(row); });   // may use what is out here
///     scope.wait();                                  // rethrows the first exception
///
/// The first exception cancels the rest: tasks that have not started end as cancelled, those that
/// run and take a std::stop_token hear of it. Tasks may spawn into their scope, and make scopes of
/// their own.
/// Cost:    an allocation for the scope, one for each task (about as submit()). A task that waits
///          runs those tasks of the scope itself that are the last in its worker's queue.
/// Threads: spawn(), cancel() by any, also by its tasks; wait() and the destructor by its owner,
///          who is no task of the scope.
class TaskScope {
 public:
  /// `parent`: the scope is cancelled when that is requested, such as the token of a task or of
  /// another scope.
  explicit TaskScope(Pool& pool, std::stop_token parent = {})
      : pool_(pool),
        state_(std::make_shared<detail::ScopeState>()),
        on_parent_(std::move(parent), Cancel{state_.get()}) {}
  TaskScope(const TaskScope&) = delete;
  TaskScope& operator=(const TaskScope&) = delete;
  /// Cancels what wait() has not waited for, and waits until it has ended.
  ~TaskScope() {
    cancel();
    state_->wait(kNever);
  }

  /// Runs `fn()`, or `fn(stop_token)`. A refusal of the pool counts as an exception of the task
  /// (TaskError). Throws what the pool's policy throws: then nothing was spawned.
  template <class F>
  void spawn(F&& fn) {
    using Node = detail::ScopeNode<std::decay_t<F>>;
    const detail::NodePtr<Node> node(new Node(state_, std::forward<F>(fn)));
    node->start();
    try {
      pool_.submit_node(*node);
    } catch (...) {
      node->take_back();
      throw;
    }
  }

  /// Waits until all tasks have ended, those too that they spawn. Rethrows the first exception,
  /// once; afterwards the scope can be used again, unless it was cancelled.
  void wait() {
    state_->wait(kNever);
    state_->rethrow();
  }
  /// Waits until then at most; false: some have not ended. An exception is left to wait().
  [[nodiscard]] bool wait_until(Deadline until) { return state_->wait(until.at); }

  /// Tasks that have not started end as cancelled, and running ones are asked to stop.
  void cancel() { state_->stop.request_stop(); }
  /// Whether it was cancelled, by cancel() or by an exception.
  [[nodiscard]] bool cancelled() const { return state_->stop.stop_requested(); }
  /// Requested when the scope is cancelled.
  [[nodiscard]] std::stop_token stop_token() const { return state_->stop.get_token(); }

 private:
  struct Cancel {
    detail::ScopeState* state;
    void operator()() const { state->stop.request_stop(); }
  };

  Pool& pool_;
  std::shared_ptr<detail::ScopeState> state_;
  std::stop_callback<Cancel> on_parent_;
};

}  // namespace artel::pool
