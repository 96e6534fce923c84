#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/detail/timer_table.hpp"
#include "artel/sim/kernel/detail/wait.hpp"

namespace artel::sim {

/// A timer of a wait, which must outlive it. Stopping one costs O(1).
class Timer {
 public:
  /// kForever: never fires.
  void start(detail::Wait& wait, detail::ProcessState& process, Duration after);
  void stop();

  /// For a timer that lets the present pass before it counts: true the second time it fired; after
  /// the first time it runs again, with no delay.
  [[nodiscard]] bool fired_last(detail::Wait& wait);
  /// For any other: it fired and does not run any more.
  void fired();

 private:
  detail::ProcessState* process_ = nullptr;
  std::uint32_t slot_ = detail::TimerTable::kNone;
  bool repeated_ = false;
};

/// `co_await context.sleep(10ms)`, `co_await context.sleep_until(t)`, `co_await context.yield()`.
class Sleep final : public detail::Wait {
 public:
  using Result = void;

  explicit Sleep(Duration duration) : duration_(duration) {}
  Sleep(Sleep&&) = default;
  ~Sleep() { withdraw(); }

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    begin(parent, process);
    timer_.start(*this, process, duration_);
    return false;
  }
  void withdraw() { timer_.stop(); }
  void take() {}
  void timer_fired() override {
    timer_.fired();
    finish();
  }
  void describe(std::string& text) const override;

 private:
  Duration duration_;
  Timer timer_;
};

}  // namespace artel::sim
