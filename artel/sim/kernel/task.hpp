#pragma once

#include <algorithm>
#include <bit>
#include <coroutine>
#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <source_location>
#include <type_traits>
#include <utility>

#include "artel/sim/kernel/detail/block_pool.hpp"
#include "artel/sim/kernel/detail/core.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"

namespace artel::sim {

template <class T>
class Task;

namespace detail {

/// Frames of coroutines: from the pool of the simulation whose Context (or component) is among the
/// coroutine's parameters, else from operator new.
struct FrameMemory {
  static void* allocate(std::size_t bytes, detail::BlockPool* pool) {
    const std::size_t total = with_pool(bytes);
    void* frame = pool != nullptr ? pool->take(total) : ::operator new(total);
    std::memcpy(end_of(frame, bytes), static_cast<void*>(&pool), sizeof(detail::BlockPool*));
    return frame;
  }
  static void free(void* frame, std::size_t bytes) {
    detail::BlockPool* pool = nullptr;
    std::memcpy(static_cast<void*>(&pool), end_of(frame, bytes), sizeof(detail::BlockPool*));
    if (pool != nullptr) {
      pool->give_back(frame, with_pool(bytes));
    } else {
      ::operator delete(frame);
    }
  }

 private:
  /// With room for the pool; no less aligned than the frame, whose size its alignment divides.
  static std::size_t with_pool(std::size_t bytes) {
    const std::size_t alignment = std::min(bytes & -bytes, detail::BlockPool::kLine);
    return (bytes + sizeof(detail::BlockPool*) + alignment - 1) / alignment * alignment;
  }
  // The pool stands behind the frame, as compilers count on how that is aligned.
  static void* end_of(void* frame, std::size_t bytes) {
    return static_cast<std::byte*>(frame) + bytes;
  }
};

detail::BlockPool* pool_of(const Context& context);
[[noreturn, gnu::cold]] void refuse_empty_task();

template <class... Args>
detail::BlockPool* pool_among(const Args&... args) {
  detail::BlockPool* pool = nullptr;
  [[maybe_unused]] const auto look = [&]<class Arg>(const Arg& arg) {
    if constexpr (std::is_base_of_v<Context, Arg>) {
      if (pool == nullptr) pool = pool_of(arg);
    } else if constexpr (std::is_pointer_v<Arg>) {
      if constexpr (std::is_base_of_v<Context, std::remove_pointer_t<Arg>>) {
        if (pool == nullptr) pool = pool_of(*arg);
      }
    }
  };
  (look(args), ...);
  return pool;
}

/// A co_await of one wait: refers to it where the full expression that it is part of keeps it.
template <detail::Awaitable Op>
class AwaitOp {
 public:
  explicit AwaitOp(Op& op) : op_(&op) {}

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> handle) {
    detail::ProcessState& process = *handle.promise().process;
    if (WaitAccess::start(*op_, nullptr, process)) return false;
    process.core().pause(process, *op_);
    return true;
  }
  decltype(auto) await_resume() {
    detail::ProcessState* process = WaitAccess::process_of(*op_);  // none: it had not to wait
    if (process != nullptr && process->thrown_into) [[unlikely]]
      throw_into(*process);
    return op_->take();
  }

 private:
  Op* op_;
};

/// A co_await of another task: it runs as part of the same process.
template <class T>
class AwaitTask {
 public:
  explicit AwaitTask(Task<T>& task) : link_{.handle = &task.handle_} {
    if (!task.handle_) [[unlikely]]
      refuse_empty_task();
  }

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> handle) {
    link_.parent = &handle.promise();
    enter_task(link_, promise());
  }
  T await_resume() { return promise().take(); }

 private:
  [[nodiscard]] ResultPromise<T>& promise() const { return Task<T>::promise_of(*link_.handle); }

  TaskLink link_;
};

void enter_task(TaskLink& link, PromiseBase& child);
void leave_task(detail::PromiseBase& promise);

struct EndOfTask {
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> handle) noexcept {
    leave_task(handle.promise());
  }
  void await_resume() noexcept {}
};

template <class T>
inline constexpr bool kIsTask = false;
template <class T>
inline constexpr bool kIsTask<Task<T>> = true;

struct TaskPromise : detail::PromiseBase {
  template <class... Args>
  static void* operator new(std::size_t bytes, const Args&... args) {
    return FrameMemory::allocate(bytes, pool_among(args...));
  }
  static void operator delete(void* frame, std::size_t bytes) { FrameMemory::free(frame, bytes); }

  std::suspend_always initial_suspend() noexcept { return {}; }
  EndOfTask final_suspend() noexcept { return {}; }
  void unhandled_exception() { process->core().thrown = std::current_exception(); }

  // A pointer, as a std::source_location would take room in the frame for every co_await.
  template <detail::Awaitable Op>
  AwaitOp<Op> await_transform(Op&& op, const void* place = __builtin_source_location()) {
    note_place(place);
    return AwaitOp<Op>(op);
  }
  /// What a process waits for in its own record, see Next.
  template <class Op>
    requires requires(const Op& op, detail::ProcessState& by) { WaitAccess::await_by(op, by); }
  auto await_transform(Op&& op, const void* place = __builtin_source_location()) {
    note_place(place);
    return WaitAccess::await_by(op, *process);
  }
  template <class T>
  AwaitTask<T> await_transform(Task<T>&& task) {
    return AwaitTask<T>(task);
  }
  /// For readable errors: whatever the others do not take.
  template <class T>
    requires(!detail::Awaitable<T> && !kIsTask<T> &&
             !requires(const T& op, detail::ProcessState& by) { WaitAccess::await_by(op, by); })
  auto await_transform(T&&) {
    using Kind = std::remove_cvref_t<T>;
    static_assert(!detail::Awaitable<Kind> && !kIsTask<Kind>,
                  "a wait or a task is awaited once: co_await std::move(it)");
    static_assert(detail::Awaitable<Kind> || kIsTask<Kind>,
                  "this cannot be awaited in a sim::Task: co_await a wait, a sim::Task or "
                  "process.join(); for a duration, context.sleep(d)");
    return std::suspend_never{};
  }

 protected:
  /// What the task threw, if it did: its end was the last thing that happened.
  void rethrow() const {
    std::exception_ptr& thrown = process->core().thrown;
    if (thrown) [[unlikely]]
      std::rethrow_exception(std::exchange(thrown, nullptr));
  }

 private:
  void note_place(const void* place) const {
    process->place = std::bit_cast<std::source_location>(place);
  }
};

/// A result elsewhere: what of it would align the promise in another way than PromiseBase.
template <class T>
class DistantResult {
 public:
  template <class U>
  void emplace(U&& value) {
    value_ = std::make_unique<T>(std::forward<U>(value));
  }
  T& operator*() { return *value_; }

 private:
  std::unique_ptr<T> value_;
};

template <class T>
struct ResultPromise final : TaskPromise {
  static constexpr bool kIsDistant = alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__;

  Task<T> get_return_object();
  template <class U>
    requires std::is_convertible_v<U, T>
  void return_value(U&& value) {
    result.emplace(std::forward<U>(value));
  }
  T take() {
    rethrow();
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): set by co_return
    return std::move(*result);
  }
  std::conditional_t<kIsDistant, DistantResult<T>, std::optional<T>> result;
};

template <>
struct ResultPromise<void> final : TaskPromise {
  inline Task<void> get_return_object();
  void return_void() {}
  void take() const { rethrow(); }
};

}  // namespace detail

/// A coroutine in simulated time. It starts when it is awaited by another task, as part of the same
/// process, or spawned by a component as a process of its own; it is resumed by the simulation's
/// loop only, so that chains of any length use no stack.
///
///     sim::Task<> client(sim::Context& context, sim::ComponentId server) {
///       for (std::uint32_t i = 0; i < 10; ++i) {
///         context.emit(Request{i}, server, 1ms);
///         const auto reply = co_await context.next<Reply>().from(server).within(1s);
///         if (!reply) co_await context.sleep(5s);
///       }
///     }
///     context.spawn(client(context, server.id()));
///
/// Requires: spawned or awaited once.
/// Arguments of a coroutine are copied into its frame, but what references and lambda captures
/// refer to must outlive it.
/// g++ 12.2 loses its place in a coroutine that has `if (co_await x)` or `while (co_await x)` and
/// no variable in its outermost block (GCC bug 106188): give the result a name, `while (const auto
/// order = co_await orders.receive())`, or `const bool ok = co_await x;`. Cost: a frame from the
/// simulation's pool, if a Context or component is among the parameters.
template <class T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = detail::ResultPromise<T>;

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

 private:
  friend promise_type;
  friend detail::AwaitTask<T>;
  friend struct detail::Core;
  friend class Context;
  template <class>
  friend class TaskOp;

  explicit Task(std::coroutine_handle<> handle) : handle_(handle) {}
  [[nodiscard]] static promise_type& promise_of(std::coroutine_handle<> handle) {
    return std::coroutine_handle<promise_type>::from_address(handle.address()).promise();
  }

  std::coroutine_handle<> handle_;
};

namespace detail {

template <class T>
Task<T> ResultPromise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<ResultPromise>::from_promise(*this));
}
inline Task<void> ResultPromise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<ResultPromise>::from_promise(*this));
}

}  // namespace detail

}  // namespace artel::sim
