#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"

namespace artel::sim {

/// A counter that cannot fall below zero. `co_await semaphore.acquire()` takes one, waiting for it
/// if there is none; in order of arrival. One that was granted to a process which is cancelled
/// before it runs goes to the next. Who should give back what he took uses a Resource.
class Semaphore {
 public:
  class Acquired;

  explicit Semaphore(std::size_t count) : count_(count) {}

  [[nodiscard]] Acquired acquire();
  /// Gives one back; whoever has waited longest gets it.
  void release();
  /// How many can be taken without waiting.
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  std::size_t count_;
  detail::WaitQueue waiting_;
  detail::WaitQueue granted_;  // and not yet run on
};

class Semaphore::Acquired final : public detail::QueuedWait {
 public:
  using Result = void;

  explicit Acquired(Semaphore& semaphore) : semaphore_(&semaphore) {}
  Acquired(Acquired&& other) = default;
  ~Acquired() override { withdraw(); }

  void withdraw() override {
    const bool give_back = is_queued() && granted_;
    leave_queue();
    if (give_back) semaphore_->release();
  }
  void take() { leave_queue(); }
  void describe(std::string& text) const override { text += "a semaphore"; }

 private:
  friend struct detail::WaitAccess;
  friend class Semaphore;

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    begin(parent, process);
    if (semaphore_->count_ == 0) {
      semaphore_->waiting_.push_back(*this);
      return false;
    }
    --semaphore_->count_;
    grant();
    return true;
  }
  [[nodiscard]] bool ready(const detail::ProcessState&) const { return semaphore_->count_ != 0; }

  void grant() {
    granted_ = true;
    semaphore_->granted_.push_back(*this);
  }

  Semaphore* semaphore_;
  bool granted_ = false;
};

inline Semaphore::Acquired Semaphore::acquire() { return Acquired(*this); }

inline void Semaphore::release() {
  if (waiting_.empty()) {
    ++count_;
    return;
  }
  auto& first = static_cast<Acquired&>(*waiting_.front());
  waiting_.remove(first);
  first.grant();
  first.complete();
}

}  // namespace artel::sim
