#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "artel/core/require.hpp"
#include "artel/sim/kernel/condition.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"

namespace artel::sim {

/// Lets processes pass in groups: `co_await barrier.arrive()` waits until `size` have arrived; then
/// they run on, and the next group gathers. Cancelled ones don't count. Threads: its simulation's.
/// Cost: O(1) for each who arrives.
class Barrier {
 public:
  class Arrived;

  explicit Barrier(std::size_t size) : size_(size) {
    ARTEL_REQUIRE(size >= 1, "nobody would ever arrive at a barrier for none");
  }

  [[nodiscard]] Arrived arrive();

 private:
  std::size_t size_;
  std::size_t arrived_ = 0;  // and waiting
  detail::WaitQueue waiting_;
};

class Barrier::Arrived final : public detail::QueuedWait {
 public:
  using Result = void;

  explicit Arrived(Barrier& barrier) : barrier_(&barrier) {}
  Arrived(Arrived&&) = default;
  ~Arrived() override { withdraw(); }

  void withdraw() override {
    if (!is_queued()) return;
    leave_queue();
    --barrier_->arrived_;
  }
  void take() {}
  void describe(std::string& text) const override {
    const std::size_t missing = is_queued() ? barrier_->size_ - barrier_->arrived_ : 0;
    text += std::to_string(missing) + " more to arrive at a barrier";
  }

 private:
  friend struct detail::WaitAccess;

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    if (barrier_->arrived_ + 1 == barrier_->size_) {
      // One by one: what the first lets go may cancel others that wait here.
      while (!barrier_->waiting_.empty()) {
        --barrier_->arrived_;
        detail::let_go(barrier_->waiting_, 1);
      }
      return true;
    }
    begin(parent, process);
    ++barrier_->arrived_;
    barrier_->waiting_.push_back(*this);
    return false;
  }
  [[nodiscard]] bool ready(const detail::ProcessState&) const {
    return barrier_->arrived_ + 1 == barrier_->size_;
  }

  Barrier* barrier_;
};

inline Barrier::Arrived Barrier::arrive() { return Arrived(*this); }

}  // namespace artel::sim
