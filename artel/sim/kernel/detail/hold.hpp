#pragma once

#include "artel/sim/kernel/detail/process_state.hpp"

namespace artel::sim::detail {

// Defined with the Core.
void end_hold(ProcessState& state);

/// While it lives, a waiting process is not destroyed: a cancel waits until the outermost Hold
/// ends. For waits that cancel tasks on its behalf, whose destructors may cancel anybody.
class Hold {
 public:
  explicit Hold(ProcessState& state) : state_(state), was_held_(state.held) { state.held = true; }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  ~Hold() {
    if (!was_held_) end_hold(state_);
  }

 private:
  ProcessState& state_;
  bool was_held_;
};

}  // namespace artel::sim::detail
