#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

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
    return !has_happened() && happen({.value = std::move(value), .exception = nullptr});
  }
  bool succeed()
    requires std::is_void_v<T>
  {
    return succeed(Regular<T>{});
  }
  /// The exception is thrown where they wait.
  bool fail(std::exception_ptr exception) {  // NOLINT(performance-unnecessary-value-param): moved
    return !has_happened() && happen({.value = {}, .exception = std::move(exception)});
  }
  /// Whether it has succeeded or failed.
  [[nodiscard]] bool has_happened() const { return outcome_ != nullptr; }

  /// `co_await one_shot.wait()`: a copy of the value.
  [[nodiscard]] Happened wait() { return Happened(*this); }

 private:
  struct Outcome {
    std::optional<Regular<T>> value;
    std::exception_ptr exception;  // else
  };

  bool happen(Outcome&& outcome) {
    auto made = std::make_shared<const Outcome>(std::move(outcome));
    if (has_happened()) return false;  // by the move of the value
    outcome_ = std::move(made);
    while (!waiting_.empty()) {
      auto& first = static_cast<Happened&>(*waiting_.front());
      waiting_.remove(first);
      first.outcome_ = outcome_;
      first.complete();
    }
    return true;
  }

  std::shared_ptr<const Outcome> outcome_;  // shared with those that have not taken it yet
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
  [[nodiscard]] bool failed() const override { return outcome_->exception != nullptr; }
  T take() {
    if (outcome_->exception) std::rethrow_exception(outcome_->exception);
    // It has happened, so one of the two is there. NOLINTNEXTLINE(*-unchecked-optional-access)
    if constexpr (!std::is_void_v<T>) return *outcome_->value;
  }
  void describe(std::string& text) const override { text += "something that happens once"; }

 private:
  friend struct detail::WaitAccess;
  friend class OneShot;

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    begin(parent, process);
    outcome_ = one_shot_->outcome_;
    if (outcome_) return true;
    one_shot_->waiting_.push_back(*this);
    return false;
  }
  [[nodiscard]] bool ready(const detail::ProcessState&) const { return one_shot_->has_happened(); }

  OneShot* one_shot_;
  std::shared_ptr<const Outcome> outcome_;  // when it has happened, as the OneShot may be gone then
};

}  // namespace artel::sim
