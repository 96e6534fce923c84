#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/detail/for_each_part.hpp"
#include "artel/sim/kernel/detail/hold.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/sleep.hpp"

namespace artel::sim::detail {

/// Another wait, for a limited time: its result, or nullopt when the time ran out first.
///
/// What happens at the very moment of the timeout wins: the timer lets everything pass that is due
/// then.
template <class Op>
class Timeout final : public Wait {
 public:
  using Result = std::optional<Regular<typename Op::Result>>;
  static constexpr bool kRunsTasks = runs_tasks<Op>();

  Timeout(Op&& op, Duration limit) : op_(std::move(op)), limit_(limit) {}
  Timeout(Timeout&&) = default;
  ~Timeout() { withdraw(); }

  bool start(Wait* parent, ProcessState& process) {
    begin(parent, process);
    if (WaitAccess::start(op_, this, process)) return true;
    timer_.start(*this, process, limit_);
    return false;
  }
  void withdraw() override {
    op_.withdraw();
    timer_.stop();
  }
  Result take() {
    if (timed_out_) return std::nullopt;
    return take_regular(op_);
  }
  void child_finished(Wait&) override {
    timer_.stop();
    finish();
  }
  void timer_fired() override {
    timer_.fired();
    if (!std::exchange(is_last_, true)) return timer_.start_last(*this, process());
    timed_out_ = true;
    const Hold hold(process());
    op_.withdraw();
    finish();
  }
  [[nodiscard]] bool failed() const override { return !timed_out_ && op_.failed(); }
  void abandon(std::vector<ProcessState*>& tasks) override {
    abandon_part(op_, tasks);
    timer_.stop();
  }
  bool keep() override { return timed_out_ || op_.keep(); }
  [[nodiscard]] bool ready(const ProcessState& process) const { return is_ready(op_, process); }
  void describe(std::string& text) const override {
    op_.describe(text);
    text += " (for at most " + format_duration(limit_) + ")";
  }

 private:
  Op op_;
  Duration limit_;
  WaitTimer timer_;
  bool is_last_ = false;  // it is the end of the moment at which the time is over
  bool timed_out_ = false;
};

}  // namespace artel::sim::detail
