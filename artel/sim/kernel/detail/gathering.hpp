#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "artel/sim/kernel/detail/for_each_part.hpp"
#include "artel/sim/kernel/detail/hold.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"

namespace artel::sim::detail {

/// What both forms of all_of have in common; `Parts` is a tuple or a vector of waits.
template <class Parts>
class Gathering : public Wait {
 public:
  bool start(Wait* parent, ProcessState& process) {
    begin(parent, process);
    starting_ = true;
    for_each_part(parts_, [&](std::size_t i, auto& op) {
      if (failure_ != kNone || !WaitAccess::start(op, this, process)) return;
      --missing_;
      if (op.failed()) failure_ = i;
    });
    starting_ = false;
    if (failure_ == kNone) return missing_ == 0;
    withdraw_parts(parts_, failure_);
    return true;
  }
  void withdraw() override {
    missing_ = kNone;  // whatever still completes a part means nothing
    withdraw_parts(parts_, kNone);
  }
  void child_finished(Wait& child) override {
    if (missing_ == kNone || failure_ != kNone) return;
    if (child.failed()) {
      for_each_part(parts_, [&](std::size_t i, auto& op) {
        if (static_cast<Wait*>(&op) == &child) failure_ = i;
      });
      if (starting_) return;  // one part of this has brought about the failure of another
      const Hold hold(this->process());
      withdraw_parts(parts_, failure_);
      return finish();
    }
    // The move of what it keeps may end the process, or this alone.
    if (!child.keep() || missing_ == kNone || failure_ != kNone) return;
    if (--missing_ == 0) finish();
  }
  [[nodiscard]] bool failed() const override { return failure_ != kNone; }
  void abandon(std::vector<ProcessState*>& tasks) override {
    missing_ = kNone;
    for_each_part(parts_, [&](std::size_t, auto& op) { abandon_part(op, tasks); });
  }
  [[nodiscard]] bool ready(const ProcessState& process) const {
    bool all = true;
    for_each_part(parts_, [&](std::size_t, const auto& op) { all = all && is_ready(op, process); });
    return all;
  }

 protected:
  explicit Gathering(Parts parts) : parts_(std::move(parts)) {
    for_each_part(parts_, [&](std::size_t, const auto&) { ++missing_; });
  }
  Gathering(Gathering&&) = default;
  ~Gathering() override {
    if (missing_ != 0 && failure_ == kNone) withdraw();
  }

  /// Throws what has left the part that failed, if one has.
  void rethrow_failure() {
    for_each_part(parts_, [&](std::size_t i, auto& op) {
      if (i == failure_) (void)take_regular(op);
    });
  }
  [[nodiscard]] std::size_t missing() const { return missing_; }
  [[nodiscard]] Parts& parts() { return parts_; }
  [[nodiscard]] const Parts& parts() const { return parts_; }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;

  Parts parts_;
  std::size_t missing_ = 0;
  std::size_t failure_ = kNone;  // the part that failed: the others are withdrawn
  bool starting_ = false;
};

}  // namespace artel::sim::detail
