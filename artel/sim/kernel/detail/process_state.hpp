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

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/detail/block_pool.hpp"
#include "artel/sim/kernel/detail/event_wait.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/process_status.hpp"

namespace artel::sim {
class Context;
}  // namespace artel::sim

namespace artel::sim::detail {

struct Core;
struct PromiseBase;

/// What is known of a spawned coroutine, for as long as it runs or somebody has its handle.
///
/// A chain of tasks that await each other belongs to one process; `leaf` is the one to resume.
/// Invariants:
///   1. While its status is `running`, exactly one of these holds: it is core->running; `wait` is
///      what it waits for; its wake-up is pending (with `wait`, if any, finished); it is `due`
///      and suspended.
///   2. `references` counts the handles, the pending wake-up, and 1 while it is running.
///   3. Its owner exists while it is running.
class alignas(BlockPool::kLine) ProcessState {
 public:
  /// How to take the result from the outermost task's promise, and to free the block.
  struct Type {
    void (*take_result)(ProcessState& state, PromiseBase& root);
    void (*dispose)(ProcessState& state);
  };

  ProcessState(Core& in, Context& of, ComponentId by, const Type& result_type,
               std::source_location at)
      : direct_wait(*this),
        core(&in),
        owner(&of),
        owner_id(by),
        type(&result_type),
        spawned_at(at) {}
  ProcessState(const ProcessState&) = delete;
  ProcessState& operator=(const ProcessState&) = delete;

  /// Joins or leaves the list that begins with `first`: of its owner, or of those that failed.
  void enter(ProcessState*& first) {
    before = nullptr;
    behind = first;
    if (first != nullptr) first->before = this;
    first = this;
  }
  void leave(ProcessState*& first) {
    (before == nullptr ? first : before->behind) = behind;
    if (behind != nullptr) behind->before = before;
  }

  // What a delivery needs comes first, in two cache lines.
  DirectWait direct_wait;
  PromiseBase* leaf = nullptr;  // the innermost task

  Core* core;
  Context* owner;        // the component that spawned it, while it is running
  Wait* wait = nullptr;  // what it waits for, since when and where
  Instant since{};
  const char* where_file = "";
  std::uint_least32_t where_line = 0;
  std::uint32_t references = 1;
  ComponentId owner_id;  // known even when the owner is gone
  ProcessStatus status = ProcessStatus::running;
  bool wake_pending : 1 = false;
  bool cancel_requested : 1 = false;
  bool ended : 1 = false;        // its outermost task came to its end
  bool observed : 1 = false;     // somebody has learnt, or will, that it failed
  bool held : 1 = false;         // must not be destroyed right now, see Hold
  bool interrupted : 1 = false;  // `exception` is to be thrown where it waits next…
  bool thrown_into : 1 = false;  // …or where it runs on now
  bool daemon : 1 = false;       // run() does not go on for what it does alone
  bool suspended : 1 = false;
  bool due : 1 = false;          // would run on if it were not suspended…
  bool keeps_event : 1 = false;  // …with an event, see Core::hold_back
  bool throws_more : 1 = false;  // others follow `exception`, see Core::throw_later

  PromiseBase* root = nullptr;     // the outermost task
  ProcessState* before = nullptr;  // of the same owner; or, failed and not observed, of these
  ProcessState* behind = nullptr;
  const Type* type;
  WaitQueue joiners;
  std::exception_ptr exception;  // that has left it, or is to be thrown into it
  std::source_location spawned_at;

 protected:
  ~ProcessState() = default;
};

/// With room for the result.
template <class T>
class TypedProcessState final : public ProcessState {
 public:
  using ProcessState::ProcessState;
  std::optional<T> result;
};
template <>
class TypedProcessState<void> final : public ProcessState {
 public:
  using ProcessState::ProcessState;
};
static_assert(sizeof(TypedProcessState<void>) == 3 * BlockPool::kLine);

inline bool is_thrown_into(const ProcessState& process) { return process.thrown_into; }
[[nodiscard]] Instant now_of(const ProcessState& process);  // defined with the Core

/// What of a task's promise does not depend on its result.
///
/// An exception that leaves a task is in the Core's hands until its parent runs on, which is next.
/// Requires: promises are aligned like this one, as self() counts on where a frame has them.
struct PromiseBase {
  PromiseBase() = default;
  PromiseBase(const PromiseBase&) = delete;
  PromiseBase& operator=(const PromiseBase&) = delete;

  [[nodiscard]] std::coroutine_handle<> self() {
    return std::coroutine_handle<PromiseBase>::from_promise(*this);
  }

  std::coroutine_handle<>* owner = nullptr;  // the handle that would destroy the frame
  PromiseBase* parent = nullptr;             // the task that awaits this one
  ProcessState* process = nullptr;
};

}  // namespace artel::sim::detail
