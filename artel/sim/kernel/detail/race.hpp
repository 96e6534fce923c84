#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "artel/sim/kernel/detail/for_each_part.hpp"
#include "artel/sim/kernel/detail/hold.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/tie.hpp"

namespace artel::sim::detail {

/// What any_of and select have in common: several waits, one of which wins. `Parts` is a tuple or a
/// vector of them.
///
/// Invariants:
///   1. As long as nobody has won, every part was started, or start() has not come yet.
///   2. Once somebody has won, or the whole was withdrawn, no other part is waiting, and whatever
///      still completes one of them while it is being withdrawn means nothing.
template <class Parts>
class Race : public Wait {
 public:
  bool start(Wait* parent, ProcessState& process) {
    begin(parent, process);
    const std::size_t likely = choose_ready(process);
    starting_ = true;
    if (likely != kNobody) start_part(likely, process);
    for_each_part(parts_, [&](std::size_t i, auto& op) {
      if (winner_ == kNobody && i != likely && WaitAccess::start(op, this, process) &&
          winner_ == kNobody) {
        winner_ = i;
      }
    });
    starting_ = false;
    if (winner_ == kNobody) return false;
    withdraw_parts(parts_, winner_);
    return true;
  }
  void withdraw() override {
    if (winner_ == kNobody) winner_ = kWithdrawn;
    withdraw_parts(parts_, kNobody);
  }
  void child_finished(Wait& child) override {
    if (winner_ != kNobody) return;
    for_each_part(parts_, [&](std::size_t i, auto& op) {
      if (static_cast<Wait*>(&op) == &child) winner_ = i;
    });
    if (starting_) return;  // one part of this has completed another
    const Hold hold(this->process());
    withdraw_parts(parts_, winner_);
    finish();
  }
  bool keep() override {
    return call_for(this->process(), [this] {
      for_each_part(parts_, [this](std::size_t i, auto& op) {
        if (i == winner_) (void)op.keep();
      });
    });
  }
  [[nodiscard]] bool failed() const override {
    bool any = false;
    for_each_part(parts_, [&](std::size_t i, const auto& op) {
      if (i == winner_) any = op.failed();
    });
    return any;
  }
  void abandon(std::vector<ProcessState*>& tasks) override {
    if (winner_ == kNobody) winner_ = kWithdrawn;
    for_each_part(parts_, [&](std::size_t, auto& op) { abandon_part(op, tasks); });
  }
  [[nodiscard]] bool ready(const ProcessState& process) const {
    bool any = false;
    for_each_part(parts_, [&](std::size_t, const auto& op) { any = any || is_ready(op, process); });
    return any;
  }

 protected:
  static constexpr std::size_t kNobody = SIZE_MAX;

  Race(Parts parts, Tie tie) : parts_(std::move(parts)), tie_(tie) {}
  Race(Race&&) = default;
  ~Race() override {
    if (winner_ == kNobody) withdraw();
  }

  [[nodiscard]] std::size_t winner() const { return winner_; }
  [[nodiscard]] Parts& parts() { return parts_; }
  [[nodiscard]] const Parts& parts() const { return parts_; }
  [[nodiscard]] const char* verb() const { return tie_ == Tie::first ? "any of " : "select of "; }

 private:
  static constexpr std::size_t kWithdrawn = SIZE_MAX - 1;

  [[nodiscard]] std::size_t choose_ready(ProcessState& process) {
    std::size_t count = 0;
    std::size_t chosen = kNobody;
    for_each_part(parts_, [&](std::size_t i, const auto& op) {
      if (!is_ready(op, process)) return;
      if (count++ == 0) chosen = i;
    });
    if (tie_ == Tie::first || count < 2) return chosen;
    std::uint64_t skip = draw_tie(process, count);
    for_each_part(parts_, [&](std::size_t i, const auto& op) {
      if (is_ready(op, process) && skip-- == 0) chosen = i;
    });
    return chosen;
  }
  void start_part(std::size_t wanted, ProcessState& process) {
    for_each_part(parts_, [&](std::size_t i, auto& op) {
      if (i == wanted && WaitAccess::start(op, this, process) && winner_ == kNobody) winner_ = i;
    });
  }

  Parts parts_;
  std::size_t winner_ = kNobody;
  Tie tie_;
  bool starting_ = false;
};

}  // namespace artel::sim::detail
