#pragma once

#include "artel/sim/kernel/detail/wait.hpp"

namespace artel::sim::detail {

class PriorityWaitQueue;
class WaitQueue;

/// A wait that stands in a queue until somebody takes it out and finishes it.
class QueuedWait : public Wait {
 public:
  /// Finishes a wait that was taken out of its queue.
  void complete() { finish(); }

 protected:
  QueuedWait() = default;
  QueuedWait(QueuedWait&&) = default;
  QueuedWait& operator=(QueuedWait&&) = default;

  [[nodiscard]] bool is_queued() const { return queue_ != nullptr; }
  /// Leaves the queue, if it stands in one (that still exists).
  void leave_queue();

 private:
  friend class PriorityWaitQueue;
  friend class WaitQueue;
  WaitQueue* queue_ = nullptr;
  QueuedWait* before_ = nullptr;  // of the first in a queue the last
  QueuedWait* behind_ = nullptr;
};

/// Waits in order of arrival. Those that stand in a queue when it ends wait for ever.
/// Cost: O(1).
class WaitQueue {
 public:
  WaitQueue() = default;
  WaitQueue(const WaitQueue&) = delete;
  WaitQueue& operator=(const WaitQueue&) = delete;
  ~WaitQueue() {
    while (front_ != nullptr) remove(*front_);
  }

  [[nodiscard]] bool empty() const { return front_ == nullptr; }
  [[nodiscard]] QueuedWait* front() const { return front_; }
  [[nodiscard]] static QueuedWait* behind(const QueuedWait& wait) { return wait.behind_; }

  void push_back(QueuedWait& wait);
  void push_front(QueuedWait& wait);
  void remove(QueuedWait& wait);

 private:
  QueuedWait* front_ = nullptr;
};

inline void QueuedWait::leave_queue() {
  if (queue_ != nullptr) queue_->remove(*this);
}

inline void WaitQueue::push_back(QueuedWait& wait) {
  wait.queue_ = this;
  if (front_ == nullptr) {
    wait.before_ = front_ = &wait;
    return;
  }
  wait.before_ = front_->before_;
  wait.before_->behind_ = front_->before_ = &wait;
}

/// Takes it out of another queue first.
inline void WaitQueue::push_front(QueuedWait& wait) {
  wait.leave_queue();
  if (front_ == nullptr) return push_back(wait);
  wait.queue_ = this;
  wait.before_ = front_->before_;  // the last
  wait.behind_ = front_;
  front_->before_ = &wait;
  front_ = &wait;
}

inline void WaitQueue::remove(QueuedWait& wait) {
  QueuedWait* behind = wait.behind_;
  if (&wait != front_) {
    wait.before_->behind_ = behind;
    (behind == nullptr ? front_ : behind)->before_ = wait.before_;
  } else {
    front_ = behind;
    if (behind != nullptr) behind->before_ = wait.before_;
  }
  wait.queue_ = nullptr;
  wait.before_ = wait.behind_ = nullptr;
}

}  // namespace artel::sim::detail
