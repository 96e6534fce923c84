#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"

namespace artel::sim {

/// A place in a queue that carries nothing. `passes`, unless it is nullptr, points to whether there
/// is nothing to wait for.
class Turn final : public detail::QueuedWait {
 public:
  using Result = void;

  Turn(Turn&&) = default;
  ~Turn() override { withdraw(); }

  void withdraw() override { leave_queue(); }
  void take() {}
  void describe(std::string& text) const override { text += what_; }

 private:
  friend struct detail::WaitAccess;
  friend class Condition;
  friend class Flag;

  Turn(detail::WaitQueue& queue, const bool* passes, const char* what)
      : queue_(&queue), passes_(passes), what_(what) {}

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    if (passes_ != nullptr && *passes_) return true;
    begin(parent, process);
    queue_->push_back(*this);
    return false;
  }
  [[nodiscard]] bool ready(const detail::ProcessState&) const {
    return passes_ != nullptr && *passes_;
  }

  detail::WaitQueue* queue_;
  const bool* passes_;
  const char* what_;
};

namespace detail {

/// Lets the first `most` of a queue run on; returns how many there were.
inline std::size_t let_go(detail::WaitQueue& queue, std::size_t most) {
  std::size_t count = 0;
  for (; count < most && !queue.empty(); ++count) {
    detail::QueuedWait& wait = *queue.front();
    queue.remove(wait);
    wait.complete();
  }
  return count;
}

}  // namespace detail

/// Something that happens now and then. `co_await condition.wait()` waits for the next notification
/// from then on; check in a loop what it is about. Threads: its simulation's.
/// Cost: O(1) for each who waits.
class Condition {
 public:
  [[nodiscard]] Turn wait() { return {waiting_, nullptr, "a condition"}; }
  /// notify_one() and notify_all() return how many were waiting and now run on, those who waited
  /// longest first.
  std::size_t notify_one() { return detail::let_go(waiting_, 1); }
  std::size_t notify_all() { return detail::let_go(waiting_, SIZE_MAX); }

 private:
  detail::WaitQueue waiting_;
};

/// Is so or is not: `co_await flag.wait()` passes while it is set. Threads: its simulation's.
/// Cost: O(1), set() for each who waits.
class Flag {
 public:
  [[nodiscard]] Turn wait() { return {waiting_, &set_, "a flag"}; }
  /// set(): who waits passes, and whoever comes, until reset(). is_set(): whether it is so.
  void set() {
    set_ = true;
    detail::let_go(waiting_, SIZE_MAX);
  }
  void reset() { set_ = false; }
  [[nodiscard]] bool is_set() const { return set_; }

 private:
  detail::WaitQueue waiting_;
  bool set_ = false;
};

}  // namespace artel::sim
