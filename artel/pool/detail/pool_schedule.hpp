#pragma once

#include <coroutine>
#include <optional>

#include "artel/core/error.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/submission.hpp"
#include "artel/pool/detail/work_body.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/task_error.hpp"

namespace artel::pool::detail {

/// What `co_await pool.schedule()` waits for; lives in the coroutine.
class [[nodiscard]] PoolSchedule {
 public:
  explicit PoolSchedule(Submission& submission) : submission_(submission) {}

  [[nodiscard]] bool await_ready() const { return false; }
  bool await_suspend(std::coroutine_handle<> handle) {
    handle_ = handle;
    const auto admission = admit_work(submission_, Resume{this}, submission_.patience());
    if (admission == Admission::accepted) return true;  // `this` may be gone by now
    error_ = error_of(admission);
    return false;
  }
  void await_resume() const {
    if (error_) throw TaskError(*error_);
  }

 private:
  // Resumes the coroutine; if it is dropped instead, with the news.
  struct Resume {
    PoolSchedule* schedule;
    void run() const { schedule->handle_.resume(); }
    void drop() const noexcept {
      schedule->error_ = error_of(TaskOutcome::cancelled);
      schedule->handle_.resume();
    }
  };

  Submission& submission_;
  std::coroutine_handle<> handle_;
  std::optional<Error> error_;
};

}  // namespace artel::pool::detail
