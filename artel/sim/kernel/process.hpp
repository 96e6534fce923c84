#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"
#include "artel/sim/kernel/process_status.hpp"
#include "artel/sim/kernel/regular.hpp"

namespace artel::sim {

namespace detail {

template <class T>
class TaskWait;

// Declared here, defined with the Core.
void release(detail::ProcessState& state);
bool throw_into(detail::ProcessState& state, std::exception_ptr exception);
void throw_later(detail::ProcessState& state, std::exception_ptr exception);
void observe(detail::ProcessState& state);  // somebody has learnt, or will, if it failed
bool cancel(detail::ProcessState& state);
bool suspend(detail::ProcessState& state);
bool resume(detail::ProcessState& state);
void make_daemon(detail::ProcessState& state);
void describe_process(std::string& text, const detail::ProcessState& state);
[[noreturn, gnu::cold]] void refuse_empty_handle();
[[noreturn]] void rethrow_failure_of(const detail::ProcessState& state);
/// "model.cpp:42"
[[nodiscard]] std::string place_of(std::source_location where);
/// A number below `count` for a process that has to choose, from a stream of its component's own.
std::uint64_t draw_tie(detail::ProcessState& process, std::uint64_t count);

}  // namespace detail

/// An exception left a process that nobody joins; what() says which, where and when, and the
/// exception itself is nested in this one.
class ProcessFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown by the co_await at which a process waits when somebody interrupts it.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(std::any cause) : cause_(std::move(cause)) {}

  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
  /// What interrupt() was given.
  [[nodiscard]] const std::any& cause() const { return cause_; }
  /// The same if it is a T, else nullptr.
  template <class T>
  [[nodiscard]] const T* cause_as() const {
    return std::any_cast<T>(&cause_);
  }

 private:
  std::any cause_;
};

/// The component in whose name a process of another one waits for an event crashed or was removed:
/// thrown by the co_await at which it waits.
class ComponentGone : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Counts as one reference to a process, whatever its result. One that was made without a process
/// can only be assigned to and destroyed. Threads: its simulation's.
/// Cost: a copy counts a reference; the rest O(1), cancel() what it destroys.
class ProcessRef {
 public:
  ProcessRef() = default;
  ProcessRef(const ProcessRef& other) : state_(other.state_) {
    if (state_ != nullptr) ++state_->references;
  }
  ProcessRef(ProcessRef&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  ProcessRef& operator=(ProcessRef other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~ProcessRef() {
    if (state_ != nullptr) detail::release(*state_);
  }

  /// Whether it came to an end: finished, failed or cancelled.
  [[nodiscard]] bool done() const { return state().status != ProcessStatus::running; }
  [[nodiscard]] ProcessStatus status() const { return state().status; }

  /// Ends it where it waits: the destructors of everything in its frames run now, waits and timers
  /// are withdrawn. One that cancels itself ends at its next co_await that has to wait. False when
  /// it is done.
  bool cancel() const { return detail::cancel(state()); }

  /// A heartbeat, a collector: run() and finish() end when nothing is pending but what daemons have
  /// brought about, and finish() does not complain of them. That is their timers and messages, what
  /// handlers emit in answer, and the processes that either spawn, which are daemons, too; another
  /// process that such a message wakes goes on as it always does. All is there for the next run().
  /// Requires: it has not begun to wait; so right after spawn().
  const ProcessRef& set_daemon() const {
    detail::make_daemon(state());
    return *this;
  }

  /// From now on it does not run, like a stopped process of an operating system. The world goes on:
  /// timers run out, what it waits for is received or granted and is kept for it, and so are
  /// interrupts; tasks within its any_of or all_of run on, too. One that is running goes on up to
  /// its next co_await that has to wait. A cancel ends it all the same. False when it is done or
  /// suspended already. SimGrid stops the work and the sleep of a suspended actor, too.
  bool suspend() const { return detail::suspend(state()); }
  /// Lets it run on, at the present moment, if it has got what it waits for; else when it gets
  /// that. False when it is not suspended.
  bool resume() const { return detail::resume(state()); }
  /// Whether it is suspended.
  [[nodiscard]] bool suspended() const { return state().suspended; }

  /// Throws an Interrupted with that cause from the co_await at which the process waits; the wait
  /// is withdrawn, and the process may catch it and go on. One that is running, or that has just
  /// got what it waited for, is interrupted at its next co_await that has to wait; so is one that
  /// has not started. False when it is done, or an interrupt is on its way.
  bool interrupt(std::any cause = {}) const {
    return detail::throw_into(state(), std::make_exception_ptr(Interrupted(std::move(cause))));
  }

 private:
  friend class ProcessEnd;
  template <class>
  friend class Process;
  template <class>
  friend class detail::TaskWait;
  template <class>
  friend class WaitSet;
  friend class ThisProcess;
  friend class PreemptiveAcquire;

  explicit ProcessRef(detail::ProcessState& state) : state_(&state) { ++state.references; }
  [[nodiscard]] detail::ProcessState& state() const {
    if (state_ == nullptr) [[unlikely]]
      detail::refuse_empty_handle();
    return *state_;
  }

  detail::ProcessState* state_ = nullptr;
};

/// Waits for the end of a process, whatever its result; an exception of the process arrives here.
class ProcessEnd : public detail::QueuedWait {
 public:
  using Result = void;

  explicit ProcessEnd(ProcessRef process) : process_(std::move(process)) {}
  ProcessEnd(ProcessEnd&&) = default;
  ~ProcessEnd() override { withdraw(); }

  void withdraw() override { leave_queue(); }
  [[nodiscard]] bool failed() const override { return process_.status() == ProcessStatus::failed; }
  void take() {
    if (failed()) detail::rethrow_failure_of(process_.state());
  }
  void describe(std::string& text) const override {
    text += "the end of the ";
    detail::describe_process(text, process_.state());
  }

 private:
  friend struct detail::WaitAccess;
  template <class>
  friend class Join;

  [[nodiscard]] detail::ProcessState& state() const { return process_.state(); }

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    detail::ProcessState& state = process_.state();
    detail::observe(state);
    if (process_.done()) return true;
    begin(parent, process);
    state.joiners.push_back(*this);
    return false;
  }
  [[nodiscard]] bool ready(const detail::ProcessState&) const { return process_.done(); }

  ProcessRef process_;
};

/// The same with the result: nullopt when the process was cancelled (for a process without result:
/// whether it was not cancelled).
template <class T>
class Join final : public ProcessEnd {
 public:
  using Result = std::conditional_t<std::is_void_v<T>, bool, std::optional<Regular<T>>>;

  using ProcessEnd::ProcessEnd;

  Result take() {
    ProcessEnd::take();
    auto& typed = static_cast<detail::TypedProcessState<T>&>(state());
    if constexpr (std::is_void_v<T>) {
      return typed.status == ProcessStatus::done;
    } else {
      return typed.result;  // empty unless it is done
    }
  }
};

/// The handle of a spawned coroutine. Copies refer to the same process; without any it runs on.
///
/// An exception that leaves the process goes to whoever joins it. If nobody has by the time it ends
/// and no handle is left, it stops the simulation; with a handle, run() throws it in the end and
/// finish() tells of it. Handles must not outlive the simulation.
template <class T = void>
class Process : public ProcessRef {
 public:
  Process() = default;

  /// `co_await process.join()`. May be awaited any number of times, also when it is done.
  [[nodiscard]] Join<T> join() const { return Join<T>(*this); }

 private:
  friend class Context;
  explicit Process(detail::TypedProcessState<T>& state) : ProcessRef(state) {}
};

}  // namespace artel::sim
