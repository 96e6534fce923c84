#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>

namespace master_workers {

/// Tasks that wait for memory, in order of number: finds the first that fits without looking at
/// those that do not.
///
/// Cost: O(distinct needs up to the memory asked for), however many tasks wait.
class WaitingTasks {
 public:
  /// Requires: tasks of equal need are added in order of number.
  void add(std::uint32_t task, std::uint32_t memory) {
    by_memory_[memory].push_back(task);
    ++size_;
  }

  /// Takes out the first task that needs at most `memory`.
  std::optional<std::uint32_t> take_first_fitting(std::uint32_t memory) {
    std::deque<std::uint32_t>* chosen = nullptr;
    const auto end = by_memory_.upper_bound(memory);
    for (auto it = by_memory_.begin(); it != end; ++it) {
      std::deque<std::uint32_t>& tasks = it->second;
      if (!tasks.empty() && (chosen == nullptr || tasks.front() < chosen->front())) chosen = &tasks;
    }
    if (chosen == nullptr) return std::nullopt;
    const std::uint32_t task = chosen->front();
    chosen->pop_front();
    --size_;
    return task;
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }

 private:
  std::map<std::uint32_t, std::deque<std::uint32_t>> by_memory_;
  std::size_t size_ = 0;
};

}  // namespace master_workers
