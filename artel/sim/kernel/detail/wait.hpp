#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "artel/sim/kernel/regular.hpp"

namespace artel::sim::detail {

struct Core;
class ProcessState;

/// Something that a coroutine waits for. Lives in the frame of the waiting coroutine; waits made of
/// others (any_of, with_timeout) hold them and are their parents.
///
/// 16 bytes, and there is one in the frame for every co_await of the coroutine's text.
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
  /// that wait on after a part has finished. False: the move of it has ended the process.
  virtual bool keep() { return true; }
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
    link_ = parent != nullptr ? reinterpret_cast<std::byte*>(parent)
                              : reinterpret_cast<std::byte*>(&process) + kIsWhole;
  }
  /// For a process's record, which is what the process waits for itself.
  void begin_record(Core& core) {
    link_ = reinterpret_cast<std::byte*>(&core) + kIsWhole + kIsRecord;
  }
  /// Requires: a process's record.
  [[nodiscard]] Core& core_of_record() const {
    return *reinterpret_cast<Core*>(link_ - kIsWhole - kIsRecord);
  }
  /// Tells the parent, or wakes the process.
  void finish();
  /// Requires: it has started to wait, and so have those that it is part of; it is no record.
  [[nodiscard]] ProcessState& process() const {
    const Wait* top = this;
    while (!top->has(kIsWhole)) top = reinterpret_cast<const Wait*>(top->link_);
    return *reinterpret_cast<ProcessState*>(top->link_ - kIsWhole);
  }

 private:
  friend struct Core;
  friend struct WaitAccess;

  static constexpr std::ptrdiff_t kIsWhole = 1;   // all that a process waits for
  static constexpr std::ptrdiff_t kIsRecord = 2;  // and the first part of that process's record

  [[nodiscard]] bool has_begun() const { return link_ != nullptr; }
  [[nodiscard]] bool has(std::ptrdiff_t bit) const {
    return (reinterpret_cast<std::uintptr_t>(link_) & static_cast<std::uintptr_t>(bit)) != 0;
  }
  /// Whether it is all that a process waits for, not a part of something else.
  [[nodiscard]] bool is_whole() const { return has(kIsWhole); }
  [[nodiscard]] bool is_record() const { return has(kIsRecord); }

  // The wait that this one is part of; of a whole one its process; of a process's record the Core;
  // and these two bits. nullptr before it begins.
  std::byte* link_ = nullptr;
};
static_assert(sizeof(Wait) == 16);

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
  /// Its process, once it has started to wait. Requires: it is no record.
  static ProcessState* process_of(const Wait& wait) {
    return wait.has_begun() ? &wait.process() : nullptr;
  }
  /// The same for one that has, a record too.
  static ProcessState& process_of_any(Wait& wait) {
    return wait.is_record() ? reinterpret_cast<ProcessState&>(wait) : wait.process();
  }
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
