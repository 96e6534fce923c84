#include "artel/pool/detail/pool_sleep.hpp"

#include <chrono>
#include <coroutine>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/submission.hpp"
#include "artel/pool/detail/timers.hpp"
#include "artel/pool/detail/work_body.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::pool::detail {

bool PoolSleep::await_suspend(std::coroutine_handle<> handle) {
  handle_ = handle;
  const auto added = timers_.add(*this, due_);
  if (added) return true;  // `this` may be gone by now
  error_ = added.error();
  return false;
}

void PoolSleep::let_go(bool stopped) {
  constexpr Duration kRetry = std::chrono::milliseconds(1);
  if (stopped) return resume_with({ErrorCode::cancelled, kCancelled, ""});
  switch (admit_work(submission_, Resume{this}, Instant::min())) {
    case Admission::accepted:
      return;  // `this` may be gone by now
    case Admission::full:
    case Admission::late:
      if (timers_.add(*this, later(steady_now(), kRetry))) return;
      [[fallthrough]];
    case Admission::closed:
      resume_with({ErrorCode::cancelled, kCancelled, ""});
  }
}

void PoolSleep::resume_with(Error error) {
  error_ = std::move(error);
  handle_.resume();
}

}  // namespace artel::pool::detail
