#pragma once

#include <string>

#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"

namespace artel::sim {

class Context;

/// `Context& context = co_await this_context();` in a task: the component in whose process it runs.
/// Takes no time. For tasks that serve whoever awaits them, as the models do.
class ThisContext final : public detail::Wait {
 public:
  using Result = Context&;

  void withdraw() {}
  [[nodiscard]] Context& take() const { return *owner_; }
  void describe(std::string& text) const override { text += "its own component"; }

 private:
  friend struct detail::WaitAccess;

  bool start(detail::Wait*, detail::ProcessState& process) {
    owner_ = process.owner;
    return true;
  }

  Context* owner_ = nullptr;
};

[[nodiscard]] inline ThisContext this_context() { return {}; }

}  // namespace artel::sim
