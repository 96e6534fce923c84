#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "artel/sim/kernel/detail/for_each_part.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"

namespace artel::sim::detail {

/// What both forms of all_of have in common; `Parts` is a tuple or a vector of waits.
template <class Parts>
class Gathering : public Wait {
 public:
  bool start(Wait* parent, ProcessState& process) {
    begin(parent, process);
    for_each_part(parts_, [&](std::size_t, auto& op) {
      if (WaitAccess::start(op, this, process)) --missing_;
    });
    return missing_ == 0;
  }
  void withdraw() {
    missing_ = SIZE_MAX;  // whatever still completes a part means nothing
    withdraw_parts(parts_, SIZE_MAX);
  }
  void child_finished(Wait& child) override {
    child.keep();
    if (--missing_ == 0) finish();
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
    if (missing_ != 0) withdraw();
  }

  [[nodiscard]] std::size_t missing() const { return missing_; }
  [[nodiscard]] Parts& parts() { return parts_; }
  [[nodiscard]] const Parts& parts() const { return parts_; }

 private:
  Parts parts_;
  std::size_t missing_ = 0;
};

}  // namespace artel::sim::detail
