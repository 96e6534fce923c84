#pragma once

#include <bit>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
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
template <class T>
struct ResultPromise;

/// What is known of a spawned coroutine, for as long as it runs or somebody has its handle.
///
/// A chain of tasks that await each other belongs to one process; `leaf` is the one to resume.
/// Invariants:
///   1. While its status is `running`, exactly one of these holds: it is core->running; `wait` is
///      what it waits for; its wake-up is pending (with `wait`, if any, finished); it is `due`
///      and suspended.
///   2. `references` counts the handles, the pending wake-up, and 1 while it is running.
///   3. Its owner exists while it is running.
class alignas(BlockPool::kLine) ProcessState : public DirectWait {
 public:
  ProcessState(Core& in, Context& of, std::source_location at)
      : DirectWait(in), spawned_at(at), owner_(std::bit_cast<std::uintptr_t>(&of)) {}
  ProcessState(const ProcessState&) = delete;
  ProcessState& operator=(const ProcessState&) = delete;

  /// Takes the result from the outermost task's promise.
  virtual void take_result(PromiseBase&) {}
  /// Ends the record; gives how many bytes it took.
  virtual std::size_t destroy() = 0;

  [[nodiscard]] Core& core() const { return core_of_record(); }

  /// The component that spawned it. Requires: it is running.
  [[nodiscard]] Context& owner() const { return *std::bit_cast<Context*>(owner_); }
  /// Known even when the owner is gone. Defined with the Context.
  [[nodiscard]] ComponentId owner_id() const;
  /// The owner may go.
  void keep_only_id_of_owner() {
    owner_ = std::uintptr_t{static_cast<std::uint32_t>(owner_id())} << 1U | kIsId;
  }

  /// Whether it runs, and neither is being cancelled nor has come to its end just now.
  [[nodiscard]] bool can_be_cancelled() const {
    return status == ProcessStatus::running && !cancel_requested && !ended;
  }

  /// What it waits for; nullptr when it has begun to run.
  [[nodiscard]] Wait* wait() {
    if (waits_for == WaitsFor::other) [[unlikely]]
      return other();
    return waits_for == WaitsFor::nothing ? nullptr : this;
  }
  [[nodiscard]] const Wait* wait() const { return const_cast<ProcessState*>(this)->wait(); }

  /// Joins or leaves the list that begins with `first`: of its owner, or of those that failed.
  void enter_list(ProcessState*& first) {
    before = nullptr;
    behind = first;
    if (first != nullptr) first->before = this;
    first = this;
  }
  void leave_list(ProcessState*& first) {
    (before == nullptr ? first : before->behind) = behind;
    if (behind != nullptr) behind->before = before;
  }

  enum class WaitsFor : std::uint8_t { nothing, itself, other };

  // What a delivery needs comes first: the DirectWait, then this.
  PromiseBase* leaf = nullptr;  // the innermost task; when all came to their ends, the outermost

  Instant since{};               // it waits…
  std::source_location place{};  // …where
  std::uint32_t references = 1;
  WaitsFor waits_for = WaitsFor::nothing;
  ProcessStatus status = ProcessStatus::running;
  bool wake_pending : 1 = false;
  bool cancel_requested : 1 = false;
  bool dying : 1 = false;        // is on Core's list of those
  bool ended : 1 = false;        // its outermost task came to its end
  bool observed : 1 = false;     // somebody has learnt, or will, that it failed
  bool held : 1 = false;         // must not be destroyed right now, see Hold
  bool interrupted : 1 = false;  // an exception is to be thrown where it waits next…
  bool thrown_into : 1 = false;  // …or where it runs on now: see Core::exceptions
  bool daemon : 1 = false;       // run() does not go on for what it does alone
  bool suspended : 1 = false;
  bool due : 1 = false;          // would run on if it were not suspended…
  bool keeps_event : 1 = false;  // …with an event, see Core::hold_back

  ProcessState* before = nullptr;  // of the same owner; or, failed and not observed, of these
  ProcessState* behind = nullptr;
  WaitQueue joiners;
  std::source_location spawned_at;

 protected:
  ~ProcessState() override = default;

 private:
  static constexpr std::uintptr_t kIsId = 1;

  std::uintptr_t owner_;  // its address or, with kIsId, twice its number
};

/// With room for the result.
template <class T>
class TypedProcessState final : public ProcessState {
 public:
  using ProcessState::ProcessState;
  void take_result(PromiseBase& root) override {
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): set by co_return
    result.emplace(std::move(*static_cast<ResultPromise<T>&>(root).result));
  }
  std::size_t destroy() override {
    std::destroy_at(this);
    return sizeof(TypedProcessState);
  }

  std::optional<T> result;
};
template <>
class TypedProcessState<void> final : public ProcessState {
 public:
  using ProcessState::ProcessState;
  std::size_t destroy() override {
    std::destroy_at(this);
    return sizeof(TypedProcessState);
  }
};
static_assert(sizeof(TypedProcessState<void>) == 2 * BlockPool::kLine);

inline bool is_thrown_into(const ProcessState& process) { return process.thrown_into; }
[[nodiscard]] Instant now_of(const ProcessState& process);  // defined with the Core

/// A co_await of a task, in the frame of the one that awaits it.
struct TaskLink {
  PromiseBase* parent = nullptr;              // the one that awaits
  std::coroutine_handle<>* handle = nullptr;  // the one awaited: what would destroy its frame
};

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

  ProcessState* process = nullptr;
  TaskLink* link = nullptr;  // to the task that awaits this one; the outermost one has none
};

}  // namespace artel::sim::detail
