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
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/pool/detail/body_blocks.hpp"
#include "artel/pool/detail/continuation.hpp"
#include "artel/pool/detail/future_state.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/submit_conditions.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/outcomes.hpp"

namespace artel::pool::detail {

class FutureNode;

/// A thread that runs tasks of a pool, as those that wait on it see it.
class TaskRunningThread {
 public:
  /// Runs the task that this thread submitted last, if it is still in its queue and of that group,
  /// which the caller waits for; false: it is not.
  virtual bool run_newest(const void* group) = 0;
  /// Runs a task of its pool that it has claimed.
  virtual void run_claimed(FutureNode& node) = 0;

 protected:
  ~TaskRunningThread() = default;
};

/// What waiting needs to know about the thread that waits. Workers set it.
struct WaitingThread {
  const void* pool = nullptr;           ///< whose tasks it may run while it waits, by
  TaskRunningThread* runner = nullptr;  ///< this; null: it is no worker
  const char* stack_limit = nullptr;    ///< nested no deeper than this (stacks grow downwards)
};
inline constinit thread_local WaitingThread waiting_thread;

/// Runs the task that this worker submitted last, if it waits in its queue and is of that group,
/// and if there is stack for it; else false.
bool run_newest_here(const void* group);

/// What a task hears that cannot wait, because no thread can take its place.
[[nodiscard]] Error no_stand_in();
/// What the owner of the Future hears of a task that ended without having started: cancelled,
/// expired.
[[nodiscard]] Error error_of(TaskOutcome outcome);

/// The same of a promise that was destroyed without a result.
[[nodiscard]] Error broken_promise();
/// The Error of the TaskError that is being handled; nothing: it is another exception, or of a type
/// of the user's own.
[[nodiscard]] std::optional<Error> current_task_error();
/// As broken_promise(), of a continuation whose executor refused or dropped it.
[[nodiscard]] Error not_run_by_executor();

template <class N>
class NodePtr;

/// What a Future, a queue and a continuation share: one allocation that holds the state, the
/// callable and the result.
///
/// Invariants (with those of future_state.hpp):
///  N4  A task is accounted for before its node is ready. Only threads of its pool run it: they end
///      before the pool does. One that was ended early (early_end.hpp), on any thread, is accounted
///      for by whoever finds the claimed entry.
/// Threads: any; the result is read by the one owner of the Future.
class FutureNode {
 public:
  FutureNode(const FutureNode&) = delete;
  FutureNode& operator=(const FutureNode&) = delete;

  static void* operator new(std::size_t size) {
    return size <= BodyBlocks::kBytes ? BodyBlocks::take() : ::operator new(size);
  }
  static void operator delete(void* node, std::size_t size) {
    size <= BodyBlocks::kBytes ? BodyBlocks::give(node) : ::operator delete(node);
  }
  static void* operator new(std::size_t size, std::align_val_t alignment) {
    return ::operator new(size, alignment);
  }
  static void operator delete(void* node, std::align_val_t alignment) {
    ::operator delete(node, alignment);
  }

  void add_reference() { references_.fetch_add(1, std::memory_order_relaxed); }
  /// The same for its maker, before anybody else knows of it.
  void add_reference_unshared() {
    references_.store(references_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void release() {
    if (drop_reference()) destroy();
  }

  [[nodiscard]] bool ready() const { return state_.ready(); }

  /// Waits until ready, or until `until`. A worker runs the task here if it is still queued at its
  /// own pool and there is no `until`; else it lends its slot while it sleeps (blocking_hook.hpp).
  /// An Error (unsupported): no thread can be had to take this worker's place, and so nobody might
  /// ever make this ready. Otherwise whether it is ready.
  [[nodiscard]] Result<bool> wait(Instant until = kNever);
  /// Whether it is ready. A task that asks again and again gives other tasks a turn.
  [[nodiscard]] bool poll();

  /// Has `continuation.ready()` called when ready; false: it is ready already. Once.
  [[nodiscard]] bool attach(Continuation& continuation) { return state_.attach(continuation); }

  /// Makes this ready with an error instead of a result.
  void refuse(Error error);

  // For queues.
  /// By its maker, before anybody else knows of it: a queue of that pool is about to have it, with
  /// a reference of its own.
  void enqueue(const void* pool) {
    pool_ = pool;
    mark_queued();
    add_reference_unshared();
  }
  /// A queue's turn to run or drop the task; consumes the queue's reference.
  std::optional<TaskOutcome> run_queued(Runner& runner);
  /// The same for an entry that has been taken back by whoever waits for the task and has, or
  /// knows that the task itself has, another reference.
  void run_taken_back(Runner& runner);
  std::optional<TaskOutcome> drop_queued(Runner& runner, TaskOutcome outcome);
  [[nodiscard]] bool try_claim() { return state_.claim(); }
  /// Of a queue whose turn it is: true if the task is the caller's to run or drop. Else it has been
  /// taken already; if it ended early, it is added to the accounts here (N4).
  [[nodiscard]] bool claim_at_turn(Runner& runner);
  // By whoever has claimed it:
  void run_here(Runner& runner);
  void drop_here(Runner& runner, TaskOutcome outcome);
  SubmitConditions& conditions() { return conditions_; }

  // For EarlyEnd.
  /// Makes a task that still waits ready, as expired or cancelled; else nothing happens.
  void end_early(TaskOutcome outcome);
  /// For as long as the task waits; at once disarmed if it does not any more.
  void keep_early_end(EarlyEnd& early_end);
  /// Tasks of one group are waited for together: those of a scope, or a task by itself.
  [[nodiscard]] virtual const void* group() const { return this; }

 protected:
  /// Whether it was the last.
  [[nodiscard]] bool drop_reference() {
    return references_.load(std::memory_order_acquire) == 1 ||
           references_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }

  FutureNode() { conditions_.weight = 0; }  // not measured, until somebody says so
  virtual ~FutureNode() = default;

  /// Calls the user's callable and stores what came out; never throws.
  virtual TaskOutcome call_task() = 0;
  virtual void store_error(Error error) = 0;
  /// Stores that the task ended so without having started; never throws.
  virtual void store_unstarted(TaskOutcome outcome) = 0;
  /// Adds the nodes that this one waits for.
  virtual void add_inputs(std::vector<NodePtr<FutureNode>>& /*to*/) {}

  /// The result is stored: wakes and calls whoever waits.
  void publish() { call(publish_first()); }
  /// The same without calling: the continuation to be called next, or null.
  [[nodiscard]] Continuation* publish_first() { return state_.make_ready(); }
  /// Whom publish_first() would return now; by whoever is to publish.
  [[nodiscard]] Continuation* attached() const { return state_.attached(); }

  /// A claimed task is about to wait again.
  void unclaim() { state_.unclaim(); }
  /// Whoever begins or ends the task; more than once does no harm.
  void disarm();
  void mark_queued() { state_.enqueue(); }

 private:
  void destroy();
  [[gnu::cold]] static void destroy_doomed();
  void finish(Runner& runner, TaskOutcome outcome);
  void run_what_is_queued();
  bool run_if_queued();
  [[nodiscard]] bool spin() const;

  FutureState state_;
  std::atomic<std::uint32_t> references_ = 1;
  const void* pool_ = nullptr;  // nullptr: in no queue; of a node to be destroyed: the next one
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

/// How a result of type T is kept: a reference as a pointer, void as nothing.
template <class T>
using Kept = std::conditional_t<
    std::is_void_v<T>, std::monostate,
    std::conditional_t<std::is_reference_v<T>, std::add_pointer_t<std::remove_reference_t<T>>, T>>;

/// A node with a slot for the result: a value, the task's exception, or why there is neither.
template <class T>
class ValueNode : public FutureNode {
 public:
  /// As that of any node; but a result without a destructor owns no other one.
  void release() {
    if constexpr (std::is_trivially_destructible_v<Kept<T>>) {
      if (this->drop_reference()) delete this;
    } else {
      FutureNode::release();
    }
  }

  /// Calls `fn(args…)` and stores its value or exception; the outcome says which. A TaskError that
  /// it throws is the Error of something that it waited for, and is kept as its own Error.
  template <class F, class... Args>
  TaskOutcome store_call(F&& fn, Args&&... args) {
    try {
      if constexpr (std::is_void_v<T>) {
        std::invoke(std::forward<F>(fn), std::forward<Args>(args)...);
        result_.template emplace<1>();
      } else if constexpr (std::is_reference_v<T>) {
        result_.template emplace<1>(
            std::addressof(std::invoke(std::forward<F>(fn), std::forward<Args>(args)...)));
      } else {
        result_.template emplace<1>(std::invoke(std::forward<F>(fn), std::forward<Args>(args)...));
      }
      return TaskOutcome::done;
    } catch (...) {
      store_current_exception();
      return TaskOutcome::failed;
    }
  }
  /// In a handler.
  void store_current_exception() {
    if (auto error = current_task_error()) {
      store_error(std::move(*error));
    } else {
      store_exception(std::current_exception());
    }
  }
  void store_exception(std::exception_ptr exception) {
    result_.template emplace<2>(std::move(exception));
  }
  void store_error(Error error) override {
    result_.template emplace<3>(std::make_unique<Error>(std::move(error)));
  }
  void store_unstarted(TaskOutcome outcome) override { result_.template emplace<4>(outcome); }
  /// Of a node that is ready, and keeps nothing.
  void store_result_of(ValueNode& other) {
    try {
      result_ = std::move(other.result_);
    } catch (...) {
      store_current_exception();
    }
  }
  using FutureNode::publish;
  using FutureNode::publish_first;

  /// Moves the result out; rethrows the task's exception.
  Result<Kept<T>> take() {
    check();
    if (const auto exception = take_exception()) std::rethrow_exception(exception);
    if (auto error = this->error()) return tl::unexpected<Error>(std::move(*error));
    return std::move(std::get<1>(result_));
  }
  /// The result, which stays here.
  [[nodiscard]] const Kept<T>& look() const { return std::get<1>(result_); }
  [[nodiscard]] std::exception_ptr exception() const {
    const auto* exception = std::get_if<2>(&result_);
    return exception != nullptr ? *exception : nullptr;
  }
  /// It is kept here no more: no thread but that of its catcher is to let go of it last.
  [[nodiscard]] std::exception_ptr take_exception() {
    auto* const exception = std::get_if<2>(&result_);
    return exception != nullptr ? std::exchange(*exception, nullptr) : nullptr;
  }
  [[nodiscard]] std::optional<Error> error() const {
    if (const auto* error = std::get_if<3>(&result_)) return **error;
    if (const auto* outcome = std::get_if<4>(&result_)) return error_of(*outcome);
    return std::nullopt;
  }

 protected:
  TaskOutcome call_task() override { return TaskOutcome::done; }

 private:
  void check() const {
    ARTEL_REQUIRE(result_.index() != 0, "the result is there before the node is ready");
  }

  std::variant<std::monostate, Kept<T>, std::exception_ptr, std::unique_ptr<Error>, TaskOutcome>
      result_;
};

/// The node of a submitted task.
template <class T, class F>
class TaskNode final : public ValueNode<T> {
 public:
  explicit TaskNode(F&& fn) : fn_(std::move(fn)) {}
  explicit TaskNode(const F& fn) : fn_(fn) {}

 private:
  TaskOutcome call_task() override {
    const TaskOutcome outcome = this->store_call(
        std::move(*fn_));  // NOLINT(bugprone-unchecked-optional-access): called once
    fn_.reset();  // what the callable owns goes when the task ends, not when the Future does
    return outcome;
  }
  void store_error(Error error) override {
    ValueNode<T>::store_error(std::move(error));
    fn_.reset();
  }
  void store_unstarted(TaskOutcome outcome) override {
    ValueNode<T>::store_unstarted(outcome);
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
