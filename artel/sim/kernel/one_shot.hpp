#pragma once

#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "artel/sim/kernel/condition.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"
#include "artel/sim/kernel/regular.hpp"

namespace artel::sim {

/// Something that happens once, with a value or a failure, and that any number of processes wait
/// for, also afterwards.
///
///     sim::OneShot<int> answer;
///     const int value = co_await answer.wait();   // in one process, or many
///     answer.succeed(42);                          // in another
///
/// Cost: O(1) for each who waits.
/// Source: the events of SimPy. Threads: its simulation's.
template <class T = void>
class OneShot {
 public:
  class Happened;

  OneShot() = default;
  OneShot(const OneShot&) = delete;
  OneShot& operator=(const OneShot&) = delete;

  /// All three let everybody run on who waits, the first one first; false, without effect, when it
  /// has happened before.
  bool succeed(Regular<T> value) {
    if (has_happened()) return false;
    value_.emplace(std::move(value));
    detail::let_go(waiting_, SIZE_MAX);
    return true;
  }
  bool succeed()
    requires std::is_void_v<T>
  {
    return succeed(Regular<T>{});
  }
  /// The exception is thrown where they wait.
  bool fail(std::exception_ptr exception) {
    if (has_happened()) return false;
    exception_ = std::move(exception);
    detail::let_go(waiting_, SIZE_MAX);
    return true;
  }
  /// Whether it has succeeded or failed.
  [[nodiscard]] bool has_happened() const { return value_.has_value() || exception_ != nullptr; }

  /// `co_await one_shot.wait()`: a copy of the value.
  [[nodiscard]] Happened wait() { return Happened(*this); }

 private:
  std::optional<Regular<T>> value_;
  std::exception_ptr exception_;
  detail::WaitQueue waiting_;
};

template <class T>
class OneShot<T>::Happened final : public detail::QueuedWait {
 public:
  using Result = T;

  explicit Happened(OneShot& of) : one_shot_(&of) {}
  Happened(Happened&&) = default;
  ~Happened() override { withdraw(); }

  void withdraw() override { leave_queue(); }
  [[nodiscard]] bool failed() const override { return one_shot_->exception_ != nullptr; }
  T take() {
    if (one_shot_->exception_) std::rethrow_exception(one_shot_->exception_);
    // It has happened, so one of the two is there. NOLINTNEXTLINE(*-unchecked-optional-access)
    if constexpr (!std::is_void_v<T>) return *one_shot_->value_;
  }
  void describe(std::string& text) const override { text += "something that happens once"; }

 private:
  friend struct detail::WaitAccess;

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    begin(parent, process);
    if (one_shot_->has_happened()) return true;
    one_shot_->waiting_.push_back(*this);
    return false;
  }
  [[nodiscard]] bool ready(const detail::ProcessState&) const { return one_shot_->has_happened(); }

  OneShot* one_shot_;
};

}  // namespace artel::sim
