#pragma once

#include "artel/sim/kernel/detail/core.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/process_status.hpp"

// Code of the model runs in the middle of what the kernel does: destructors, moves and comparisons
// of its types, its predicates. Such code may do anything: cancel, spawn, send, remove components.
// So, all over the kernel: before it runs, the books are right, and whatever is used afterwards is
// held by one of these. While it runs no process does, so that no new wait begins.

namespace artel::sim::detail {

// Defined with the Core.
void end_hold(ProcessState& state);

/// While it lives, a waiting process and its frames are not destroyed, and no component is: a
/// cancel waits until the outermost Hold ends.
class Hold {
 public:
  explicit Hold(ProcessState& state) : state_(&state), core_(&state.core()), was_held_(state.held) {
    state.held = true;
    ++core_->half_done;
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  ~Hold() {
    if (!was_held_) {
      state_->held = false;
      if (state_->cancel_requested || state_->interrupted) [[unlikely]]
        end_hold(*state_);
    }
    --core_->half_done;
  }

 private:
  ProcessState* state_;
  Core* core_;
  bool was_held_;
};

/// While it lives, so does the record of a process: it says what has become of the process.
class RecordReference {
 public:
  explicit RecordReference(ProcessState& state) : state_(&state) { ++state.references; }
  RecordReference(const RecordReference&) = delete;
  RecordReference& operator=(const RecordReference&) = delete;
  ~RecordReference() {
    if (state_->references != 1) [[likely]] {
      --state_->references;
    } else {
      state_->core().release(*state_);
    }
  }

 private:
  ProcessState* state_;
};

/// Calls something of the model's for a process that waits; whether the process is still there, and
/// with it the wait.
template <class Call>
[[nodiscard]] bool call_for(ProcessState& process, const Call& call) {
  const RecordReference kept(process);
  {
    const Hold hold(process);
    call();
  }
  return process.status == ProcessStatus::running;
}

}  // namespace artel::sim::detail
