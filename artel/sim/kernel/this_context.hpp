#pragma once

#include <string>

#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/process.hpp"

namespace artel::sim {

class Context;

/// `Context& context = co_await this_context();` in a task: the component in whose process it runs.
/// Takes no time. For tasks that serve whoever awaits them, as the models do.
class ThisContext final : public detail::Wait {
 public:
  using Result = Context&;

  void withdraw() override {}
  [[nodiscard]] Context& take() const { return *owner_; }
  void describe(std::string& text) const override { text += "its own component"; }

 private:
  friend struct detail::WaitAccess;

  bool start(detail::Wait*, detail::ProcessState& process) {
    owner_ = &process.owner();
    return true;
  }

  Context* owner_ = nullptr;
};

/// `Context& me = co_await this_context();` of the component that the process belongs to.
[[nodiscard]] inline ThisContext this_context() { return {}; }

/// `const ProcessRef self = co_await this_process();` the process itself, to hand to others that
/// may interrupt or cancel it. Takes no time.
class ThisProcess final : public detail::Wait {
 public:
  using Result = ProcessRef;

  void withdraw() override {}
  [[nodiscard]] ProcessRef take() const { return ProcessRef(*state_); }
  void describe(std::string& text) const override { text += "itself"; }

 private:
  friend struct detail::WaitAccess;

  bool start(detail::Wait*, detail::ProcessState& process) {
    state_ = &process;
    return true;
  }

  detail::ProcessState* state_ = nullptr;
};

/// See ThisProcess.
[[nodiscard]] inline ThisProcess this_process() { return {}; }

}  // namespace artel::sim
