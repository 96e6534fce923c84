#pragma once

#include <exception>
#include <utility>

#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"
#include "artel/sim/kernel/this_context.hpp"

namespace artel::sim {

/// Does something when the process that made it leaves its scope, and knows why: `cancelled` when
/// the process was cancelled or its component crashed, `failed` for an exception, else `done`.
///
///     const sim::OnExit guard(co_await sim::this_process(), [&](sim::ProcessStatus why) {
///       if (why == sim::ProcessStatus::cancelled) ++lost;
///     });
template <class Act>
class OnExit {
 public:
  OnExit(ProcessRef process, Act act) : process_(std::move(process)), act_(std::move(act)) {}
  OnExit(const OnExit&) = delete;
  OnExit& operator=(const OnExit&) = delete;
  ~OnExit() {
    if (process_.status() != ProcessStatus::running) {
      act_(ProcessStatus::cancelled);
    } else {
      const bool unwinding = std::uncaught_exceptions() > exceptions_;
      act_(unwinding ? ProcessStatus::failed : ProcessStatus::done);
    }
  }

 private:
  ProcessRef process_;
  Act act_;
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace artel::sim
