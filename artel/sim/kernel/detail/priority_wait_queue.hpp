#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>

#include "artel/sim/kernel/detail/wait_queue.hpp"

namespace artel::sim::detail {

/// Waits by priority, the lowest number first, equals in order of arrival. Those that stand in it
/// when it ends wait for ever.
/// Cost: O(1) while the priorities are few, else O(log of their number).
class PriorityWaitQueue {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  void push(QueuedWait& wait, std::int64_t priority) {
    by_priority_[priority].push_back(wait);
    ++size_;
  }
  /// Requires: it stands in this queue.
  void remove(QueuedWait& wait) {
    wait.leave_queue();
    --size_;
  }
  /// Whoever is next. Requires: not empty.
  [[nodiscard]] QueuedWait& front() {
    auto first = by_priority_.begin();
    while (first->second.empty()) {
      first = by_priority_.size() > kKept ? by_priority_.erase(first) : std::next(first);
    }
    return *first->second.front();
  }

 private:
  static constexpr std::size_t kKept = 8;  // so many may be empty: most models use a few

  std::map<std::int64_t, WaitQueue> by_priority_;
  std::size_t size_ = 0;
};

}  // namespace artel::sim::detail
