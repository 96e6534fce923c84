#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/submit_conditions.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/outcomes.hpp"

namespace artel::pool::detail {

class FutureNode;

/// Where tasks with a Future are queued, as their nodes see it.
class TaskHost {
 public:
  /// Runs a claimed task on this thread and accounts for it.
  virtual void run_claimed(FutureNode& node) = 0;
  /// A queue let go of a task that somebody outside still runs (+1), or such a task has ended (-1):
  /// the host must live until they add up to zero.
  virtual void claims_open(int change) = 0;

 protected:
  ~TaskHost() = default;
};

/// What the owner of the Future hears of a task that ended without having started: cancelled,
/// expired.
[[nodiscard]] Error error_of(TaskOutcome outcome);

/// Something to do when a node becomes ready, once, on the thread that makes it ready.
class Continuation {
 public:
  virtual void ready() = 0;

 protected:
  ~Continuation() = default;
};

/// What a Future, a queue and a continuation share: one allocation that holds the state, the
/// callable and the result.
///
/// States: dormant (a promise, a continuation) -> ready
///         queued -> running (claimed by a worker or by the waiter itself) -> ready
/// Invariants:
///  N1  Whoever moves queued to running runs the task. What the queue still holds then is a
///      claimed entry: it is dropped when its turn comes.
///  N2  Moving to ready is one exchange, after the result was stored and the task accounted for.
///      It returns the flags that others set before; what is set later is seen by the setter.
///  N3  A task claimed by a thread that is no worker keeps its host alive: while the claimed entry
///      is in the queue the host has not drained; afterwards the host counts an open claim.
/// Threads: any; the result is read by the one owner of the Future.
class FutureNode {
 public:
  FutureNode(const FutureNode&) = delete;
  FutureNode& operator=(const FutureNode&) = delete;

  void add_reference() { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (references_.load(std::memory_order_acquire) == 1 ||
        references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete this;
    }
  }

  [[nodiscard]] bool ready() const { return (state_.load() & kStates) == kReady; }

  /// Waits until ready: runs the task here if it is still queued, else sleeps. Inside a worker the
  /// worker's slot is handed to another thread first (see blocking_hook.hpp).
  void wait();
  /// Waits at most until `until`, never runs the task here. Whether it is ready.
  bool wait_until(Instant until);

  /// Runs the task here if it is queued, or else what it waits for, if that is queued.
  void help_here();

  /// Calls `continuation.ready()` when ready; false: ready already, nothing will be called. Once.
  [[nodiscard]] bool attach(Continuation& continuation);

  /// Makes this ready with an error instead of a result.
  void refuse(Error error);

  // For queues.
  void enqueue(TaskHost& host, bool claimable);
  /// A queue's turn to run or drop the task; consumes the queue's reference.
  std::optional<TaskOutcome> run_queued(Runner& runner);
  std::optional<TaskOutcome> drop_queued(Runner& runner, TaskOutcome outcome);
  /// Runs the task: the caller has claimed it.
  void run_here(Runner& runner);
  [[nodiscard]] bool try_claim();
  SubmitConditions& conditions() { return conditions_; }

 protected:
  FutureNode() { conditions_.weight = 0; }  // not measured, until somebody says so
  virtual ~FutureNode() = default;

  /// Calls the user's callable and stores what came out; never throws.
  virtual TaskOutcome call() = 0;
  virtual void store_error(Error error) = 0;
  /// Something this node waits for may be queued: run that here.
  virtual void help() {}

  /// The result is stored: wakes and calls whoever waits.
  void publish();

 private:
  static constexpr std::uint32_t kDormant = 0, kQueued = 1, kRunning = 2, kReady = 3, kStates = 3;
  static constexpr std::uint32_t kWaited = 4;   // somebody sleeps on the state word
  static constexpr std::uint32_t kChained = 8;  // continuation_ is set
  // The queue has dropped the claimed entry of a task that still runs; the host counts a claim.
  static constexpr std::uint32_t kClaimedEntry = 16;
  static constexpr std::uint32_t kClaimable = 32;  // any thread may run it

  void finish(Runner& runner, TaskOutcome outcome);
  bool run_claimed_here();
  [[nodiscard]] bool spin() const;

  std::atomic<std::uint32_t> state_ = kDormant;
  std::atomic<std::uint32_t> references_ = 1;
  TaskHost* host_ = nullptr;
  Continuation* continuation_ = nullptr;
  SubmitConditions conditions_;
};

/// An owning pointer to a node.
template <class N>
class NodePtr {
 public:
  NodePtr() = default;
  /// Takes over a reference.
  explicit NodePtr(N* node) : node_(node) {}
  static NodePtr share(N* node) {
    node->add_reference();
    return NodePtr(node);
  }
  NodePtr(NodePtr&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  NodePtr& operator=(NodePtr&& other) noexcept {
    NodePtr(std::move(other)).swap(*this);
    return *this;
  }
  ~NodePtr() {
    if (node_ != nullptr) node_->release();
  }

  N* operator->() const { return node_; }
  N& operator*() const { return *node_; }
  [[nodiscard]] N* get() const { return node_; }
  [[nodiscard]] N* release() { return std::exchange(node_, nullptr); }
  explicit operator bool() const { return node_ != nullptr; }

 private:
  void swap(NodePtr& other) noexcept { std::swap(node_, other.node_); }

  N* node_ = nullptr;
};

/// void as a value.
template <class T>
using NonVoid = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

/// A node with a slot for the result: a value, the task's exception, or an error.
template <class T>
class ValueNode : public FutureNode {
 public:
  static_assert(!std::is_reference_v<T>,
                "a task returns a value; std::ref makes one of a reference");

  /// Calls `fn(args…)` and stores its value or exception; the outcome says which.
  template <class F, class... Args>
  TaskOutcome store_call(F&& fn, Args&&... args) {
    try {
      if constexpr (std::is_void_v<T>) {
        std::invoke(std::forward<F>(fn), std::forward<Args>(args)...);
        result_.template emplace<1>();
      } else {
        result_.template emplace<1>(std::invoke(std::forward<F>(fn), std::forward<Args>(args)...));
      }
      return TaskOutcome::done;
    } catch (...) {
      result_.template emplace<2>(std::current_exception());
      return TaskOutcome::failed;
    }
  }
  void store_exception(std::exception_ptr exception) {
    result_.template emplace<2>(std::move(exception));
  }
  void store_error(Error error) override {
    result_.template emplace<3>(std::make_unique<Error>(std::move(error)));
  }
  using FutureNode::publish;

  /// Moves the result out; rethrows the task's exception.
  Result<T> take() {
    if (auto* exception = std::get_if<2>(&result_)) {
      std::rethrow_exception(std::exchange(*exception, nullptr));
    }
    if (auto* error = std::get_if<3>(&result_)) return tl::unexpected<Error>(**error);
    if constexpr (std::is_void_v<T>) {
      return {};
    } else {
      return std::move(std::get<1>(result_));
    }
  }

 protected:
  TaskOutcome call() override { return TaskOutcome::done; }

 private:
  std::variant<std::monostate, NonVoid<T>, std::exception_ptr, std::unique_ptr<Error>> result_;
};

/// The node of a submitted task.
template <class T, class F>
class TaskNode final : public ValueNode<T> {
 public:
  explicit TaskNode(F&& fn) : fn_(std::move(fn)) {}
  explicit TaskNode(const F& fn) : fn_(fn) {}

 private:
  TaskOutcome call() override {
    const TaskOutcome outcome = this->store_call(
        std::move(*fn_));  // NOLINT(bugprone-unchecked-optional-access): called once
    fn_.reset();  // what the callable owns goes when the task ends, not when the Future does
    return outcome;
  }
  void store_error(Error error) override {
    ValueNode<T>::store_error(std::move(error));
    fn_.reset();
  }

  std::optional<F> fn_;
};

/// A queue's reference to a node, as a task body.
struct NodeBody {
  FutureNode* node;

  std::optional<TaskOutcome> run(Runner& runner) { return node->run_queued(runner); }
  std::optional<TaskOutcome> drop(Runner& runner, TaskOutcome outcome) {
    return node->drop_queued(runner, outcome);
  }
  TaskTimes* times() { return node->conditions().wanted() ? &node->conditions() : nullptr; }
};

}  // namespace artel::pool::detail
