#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"
#include "artel/sim/kernel/usage.hpp"

namespace artel::sim {

/// A counter that cannot fall below zero. `co_await semaphore.acquire()` takes one, waiting for it
/// if there is none; in order of arrival. One that was granted to a process which is cancelled
/// before it runs goes to the next. To give back for sure: Resource. Threads: its simulation's.
/// Cost: O(1).
class Semaphore {
 public:
  class Acquired;

  explicit Semaphore(std::size_t count) : count_(count), first_count_(count) {}

  [[nodiscard]] Acquired acquire();
  /// Gives one back; whoever has waited longest gets it.
  void release();
  /// How many can be taken without waiting.
  [[nodiscard]] std::size_t count() const { return count_; }

  /// From now on tells `usage` how many of the first count are taken, how many wait, and how long
  /// each did; nullptr: nobody. See Statistics::watch.
  void measure(std::shared_ptr<Usage> usage) {
    usage_ = std::move(usage);
    note_change();
  }

 private:
  void note_change() {
    if (!usage_) return;
    const auto all = static_cast<double>(std::max<std::size_t>(first_count_, 1));
    const auto left = static_cast<double>(std::min(count_, first_count_));
    usage_->set(first_count_ == 0 ? 0 : 1 - left / all, waiting_count_);
  }

  std::size_t count_;
  std::size_t first_count_;
  std::size_t waiting_count_ = 0;
  std::shared_ptr<Usage> usage_;  // who wants to know
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
    if (!is_queued()) return;
    leave_queue();
    if (granted_) return semaphore_->release();
    --semaphore_->waiting_count_;
    semaphore_->note_change();
  }
  void take() { leave_queue(); }
  void describe(std::string& text) const override { text += "a semaphore"; }

 private:
  friend struct detail::WaitAccess;
  friend class Semaphore;

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    begin(parent, process);
    since_ = detail::now_of(process);
    if (semaphore_->count_ == 0) {
      semaphore_->waiting_.push_back(*this);
      ++semaphore_->waiting_count_;
      semaphore_->note_change();
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
    if (!semaphore_->usage_) return;
    semaphore_->note_change();
    semaphore_->usage_->waited(detail::now_of(process()) - since_);
  }

  Semaphore* semaphore_;
  Instant since_;
  bool granted_ = false;
};

inline Semaphore::Acquired Semaphore::acquire() { return Acquired(*this); }

inline void Semaphore::release() {
  if (waiting_.empty()) {
    ++count_;
    return note_change();
  }
  auto& first = static_cast<Acquired&>(*waiting_.front());
  waiting_.remove(first);
  --waiting_count_;
  first.grant();
  first.complete();
}

}  // namespace artel::sim
