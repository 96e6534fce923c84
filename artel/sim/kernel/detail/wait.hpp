#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "artel/sim/kernel/regular.hpp"

namespace artel::sim::detail {

class ProcessState;

/// Something that a coroutine waits for. Lives in the frame of the waiting coroutine; waits made of
/// others (any_of, with_timeout) hold them and are their parents.
///
/// 24 bytes, and there is one in the frame for every co_await of the coroutine's text.
class Wait {
 public:
  Wait() = default;
  virtual ~Wait() = default;

  /// What this waits for, for the report on who waits: "Pong from server".
  virtual void describe(std::string& text) const = 0;
  /// A wait whose parent is this one has its result.
  virtual void child_finished(Wait& child);
  /// The timer that this wait started has run out.
  virtual void timer_fired();
  /// The result will not be taken at once: what of it is only borrowed must be kept. For parents
  /// that wait on after a part has finished.
  virtual void keep() {}
  /// It is over: nothing points to it any more, and what it was granted is given back.
  virtual void withdraw() = 0;
  /// Whether the result, which is there, is an exception.
  [[nodiscard]] virtual bool failed() const { return false; }
  /// The process that waits is about to be destroyed: withdraws all parts but those that are tasks,
  /// and appends the processes of these, which the caller ends first. So no depth of tasks within
  /// tasks uses any stack.
  virtual void abandon(std::vector<ProcessState*>&) {}

 protected:
  // Waits are moved only before they start, when nothing points to them.
  Wait(Wait&&) = default;
  Wait& operator=(Wait&&) = default;

  void begin(Wait* parent, ProcessState& process) {
    parent_ = parent;
    process_ = &process;
  }
  /// Tells the parent, or wakes the process.
  void finish();
  [[nodiscard]] ProcessState& process() const { return *process_; }

 private:
  friend struct Core;
  friend struct WaitAccess;

  Wait* parent_ = nullptr;  // none: what the process waits for
  ProcessState* process_ = nullptr;
};

// Defined with the Core.
[[nodiscard]] bool is_thrown_into(const ProcessState& process);
[[noreturn]] void throw_into(ProcessState& process);

/// How the kernel reaches what of a wait is not for models; waits make it their friend.
struct WaitAccess {
  template <class Op>
  static auto start(Op& op, Wait* parent, ProcessState& process)
      -> decltype(op.start(parent, process)) {
    return op.start(parent, process);
  }
  template <class Op>
  static auto ready(const Op& op, const ProcessState& process) -> decltype(op.ready(process)) {
    return op.ready(process);
  }
  template <class Op>
  static auto await_by(const Op& op, ProcessState& process) -> decltype(op.await_by(process)) {
    return op.await_by(process);
  }
  /// Its process, once it has started to wait.
  static ProcessState* process_of(const Wait& wait) { return wait.process_; }
};

/// What can be awaited, alone or inside any_of, all_of and with_timeout.
///
/// start() says whether the result is there at once; otherwise the wait calls finish() later,
/// unless withdraw() comes first. withdraw() may be called at any time, and is by the destructor:
/// afterwards nothing points to the wait. take() gives the result, or throws, once; the parent is
/// nullptr for what is awaited by itself.
template <class Op>
concept Awaitable = std::derived_from<Op, Wait> && std::move_constructible<Op> &&
                    requires(Op op, Wait* parent, ProcessState& process) {
                      typename Op::Result;
                      { WaitAccess::start(op, parent, process) } -> std::same_as<bool>;
                      op.withdraw();
                      { op.take() } -> std::same_as<typename Op::Result>;
                    };

template <Awaitable Op>
Regular<typename Op::Result> take_regular(Op& op) {
  if constexpr (std::is_void_v<typename Op::Result>) {
    op.take();
    return {};
  } else {
    return op.take();
  }
}

}  // namespace artel::sim::detail
