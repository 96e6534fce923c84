#include "artel/pool/detail/room_queue.hpp"

#include <atomic>
#include <cstddef>
#include <mutex>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/priority.hpp"
#include "artel/sync/futex_wait.hpp"

namespace artel::pool::detail {

RoomQueue::InLine::InLine(RoomQueue& queue, Priority priority)
    : queue_(queue),
      bit_(1U << static_cast<unsigned>(priority)),
      line_(queue.lines_[static_cast<std::size_t>(priority)]) {
  const std::lock_guard lock(queue_.lock_);
  before_ = line_.last;
  (before_ == nullptr ? line_.first : before_->next) = this;
  line_.last = this;
}

RoomQueue::InLine::~InLine() {
  const Call* called = nullptr;
  {
    const std::lock_guard lock(queue_.lock_);
    if (line_.first == this) queue_.to_call_.fetch_and(~bit_);
    (before_ == nullptr ? line_.first : before_->next) = next;
    (next == nullptr ? line_.last : next->before_) = before_;
    // There may be more room than it took; and if it gave up, what it was called for is not lost.
    if (line_.first != nullptr) called = line_.first->call();
  }
  wake(called);
}

void RoomQueue::InLine::ask_to_be_called() const {
  const std::lock_guard lock(queue_.lock_);
  if (line_.first == this) queue_.to_call_.fetch_or(bit_);
}

bool RoomQueue::InLine::sleep(Instant until) const {
  while (called_.exchange(0) == 0) {
    const Duration left = until == kNever ? kForever : until - steady_now();
    if (left <= Duration::zero()) return false;
    sync::futex_wait(called_, 0, left);
  }
  return true;
}

const RoomQueue::Call* RoomQueue::InLine::call() {
  if (line_.first == this) queue_.to_call_.fetch_and(~bit_);
  return called_.exchange(1) == 0 ? &called_ : nullptr;
}

// It may be gone by now: see futex_wake().
void RoomQueue::wake(const Call* called) {
  if (called != nullptr) sync::futex_wake(*called, 1);
}

void RoomQueue::call_first(Priority priority) {
  // Not set: nobody is first, or it has been called, or will try after having set it.
  if ((to_call_.load() & (1U << static_cast<unsigned>(priority))) == 0) return;
  const Call* called = nullptr;
  {
    const std::lock_guard lock(lock_);
    InLine* const first = lines_[static_cast<std::size_t>(priority)].first;
    if (first != nullptr) called = first->call();
  }
  wake(called);
}

void RoomQueue::call_all() {
  const std::lock_guard lock(lock_);
  for (const Line& line : lines_) {
    for (InLine* each = line.first; each != nullptr; each = each->next) wake(each->call());
  }
}

}  // namespace artel::pool::detail
