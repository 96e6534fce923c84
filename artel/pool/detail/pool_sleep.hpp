#pragma once

#include <chrono>
#include <coroutine>
#include <optional>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/timer_callback.hpp"
#include "artel/pool/task_error.hpp"

namespace artel::pool::detail {

class Submission;
class Timers;

/// What `co_await pool.sleep(…)` waits for; lives in the coroutine.
class [[nodiscard]] PoolSleep final : private TimerCallback {
 public:
  PoolSleep(Submission& submission, Timers& timers, Instant due)
      : submission_(submission), timers_(timers), due_(due) {}

  [[nodiscard]] bool await_ready() const { return false; }
  bool await_suspend(std::coroutine_handle<> handle);
  void await_resume() {
    if (error_) throw TaskError(std::move(*error_));
  }

 private:
  struct Resume {
    PoolSleep* sleep;
    void run() const { sleep->handle_.resume(); }
    void drop() const noexcept { sleep->resume_with({ErrorCode::cancelled, kCancelled, ""}); }
  };
  static constexpr const char* kCancelled = "the pool stopped while the coroutine slept";

  // The coroutine may go on, and end, as soon as it is queued: only in the last call.
  Instant on_time(Instant /*now*/) override { return kNever; }
  void let_go(bool stopped) override;
  void resume_with(Error error);

  Submission& submission_;
  Timers& timers_;
  Instant due_;
  std::coroutine_handle<> handle_;
  std::optional<Error> error_;
};

}  // namespace artel::pool::detail
