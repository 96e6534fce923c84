#pragma once

#include <string>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_timer.hpp"

namespace artel::sim {

/// `co_await context.sleep(10ms)`, `co_await context.sleep_until(t)`, `co_await context.yield()`.
class Sleep final : public detail::Wait {
 public:
  using Result = void;

  explicit Sleep(Duration duration) : duration_(duration) {}
  Sleep(Sleep&&) = default;
  ~Sleep() { withdraw(); }

  void withdraw() override { timer_.stop(); }
  void take() {}
  void timer_fired() override {
    timer_.fired();
    finish();
  }
  void describe(std::string& text) const override;

 private:
  friend struct detail::WaitAccess;

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    begin(parent, process);
    timer_.start(*this, process, duration_);
    return false;
  }

  Duration duration_;
  detail::WaitTimer timer_;
};

}  // namespace artel::sim
