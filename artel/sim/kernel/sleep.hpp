#pragma once

#include <coroutine>
#include <string>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/detail/core.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_timer.hpp"

namespace artel::sim {

namespace detail {

/// A co_await of a sleep and nothing else: in the process's own record.
class AwaitSleep {
 public:
  explicit AwaitSleep(ProcessState& process) : process_(&process) {}

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) { process_->core().pause(*process_); }
  void await_resume() {
    if (process_->thrown_into) [[unlikely]]
      throw_into(*process_);
  }

 private:
  ProcessState* process_;
};

}  // namespace detail

/// A Sleep as a part of any_of or all_of.
class SleepWait final : public detail::Wait {
 public:
  using Result = void;

  explicit SleepWait(Duration duration) : duration_(duration) {}
  SleepWait(SleepWait&&) = default;
  ~SleepWait() { withdraw(); }

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

/// `co_await context.sleep(10ms)`, `co_await context.sleep_until(t)`, `co_await context.yield()`.
class Sleep {
 public:
  explicit Sleep(Duration duration) : duration_(duration) {}

  /// As a part of something else to wait for.
  [[nodiscard]] SleepWait as_wait() const { return SleepWait(duration_); }

 private:
  friend struct detail::WaitAccess;

  /// For the co_await of that process.
  [[nodiscard]] detail::AwaitSleep await_by(detail::ProcessState& process) const {
    process.sleep(duration_);
    return detail::AwaitSleep(process);
  }

  Duration duration_;
};

}  // namespace artel::sim
