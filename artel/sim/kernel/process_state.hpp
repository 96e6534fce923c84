#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "artel/sim/kernel/wait.hpp"
#include "artel/sim/kernel/wait_queue.hpp"
#include "artel/unit/instant.hpp"

namespace artel::sim {

class Context;
struct Core;
class Pause;
struct PromiseBase;

/// How far a spawned coroutine has come.
enum class ProcessStatus : std::uint8_t { running, done, failed, cancelled };

/// What is known of a spawned coroutine, for as long as it runs or somebody has its handle.
///
/// A chain of tasks that await each other belongs to one process; `leaf` is the one to resume.
/// Invariants:
///   1. While running, exactly one of these holds: it is core->running; it is `pause`d on a wait;
///      its wake-up is pending.
///   2. `references` counts the handles, the pending wake-up, and 1 while it is running.
class ProcessState {
 public:
  ProcessState(Core& in, Context& of, std::source_location where)
      : core(&in), owner(&of), spawned_at(where) {}
  ProcessState(const ProcessState&) = delete;
  ProcessState& operator=(const ProcessState&) = delete;

  // What every resumption needs comes first, in one cache line.
  Core* core;
  Context* owner;               // the component that spawned it
  PromiseBase* leaf = nullptr;  // the innermost task
  PromiseBase* root = nullptr;  // the outermost task
  Pause* pause = nullptr;       // where it waits
  std::uint32_t references = 1;
  ProcessStatus status = ProcessStatus::running;
  bool wake_pending = false;
  bool cancel_requested = false;
  bool ended = false;     // its outermost task came to its end
  bool observed = false;  // somebody has learnt, or will, that it failed

  ProcessState* before = nullptr;  // of the same owner
  ProcessState* behind = nullptr;
  WaitQueue joiners;
  std::exception_ptr exception;
  std::source_location spawned_at;

  /// Takes the result from the outermost task's promise; the block itself is freed by `dispose`.
  void (*take_result)(ProcessState& state, PromiseBase& root) = nullptr;
  void (*dispose)(ProcessState& state) = nullptr;

 protected:
  ~ProcessState() = default;
};

/// With room for the result.
template <class T>
class TypedProcessState final : public ProcessState {
 public:
  using ProcessState::ProcessState;
  std::optional<detail::Regular<T>> result;
};

/// What of a task's promise does not depend on its result.
struct PromiseBase {
  PromiseBase() = default;
  PromiseBase(const PromiseBase&) = delete;
  PromiseBase& operator=(const PromiseBase&) = delete;

  std::coroutine_handle<> self;
  std::coroutine_handle<>* owner = nullptr;  // the handle that would destroy the frame
  PromiseBase* parent = nullptr;             // the task that awaits this one
  ProcessState* process = nullptr;
  std::exception_ptr exception;
};

/// Where a process waits: the outermost wait of a co_await.
class Pause : public Wait {
 public:
  void child_finished(Wait& child) override;  // wakes the process
  void describe(std::string& text) const override { described()->describe(text); }

  [[nodiscard]] std::source_location where() const { return where_; }
  [[nodiscard]] Instant since() const { return since_; }

 protected:
  explicit Pause(std::source_location where) : where_(where) {}

  void begin(ProcessState& process, PromiseBase& leaf);
  [[nodiscard]] virtual const Wait* described() const = 0;

 private:
  ProcessState* process_ = nullptr;
  std::source_location where_;
  Instant since_{};
};

}  // namespace artel::sim
