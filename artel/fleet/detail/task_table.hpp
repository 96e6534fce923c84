#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace artel::fleet::detail {

/// Tasks of one kind in a simulated fleet, or what is known of them, by numbers that are used
/// again.
///
/// Cost: O(1); memory for as many as were there at once. Threads: its simulation's.
template <class Task>
class TaskTable {
 public:
  [[nodiscard]] Task& operator[](std::uint32_t id) { return tasks_[id]; }
  [[nodiscard]] const Task& operator[](std::uint32_t id) const { return tasks_[id]; }
  /// How many are there.
  [[nodiscard]] std::size_t size() const { return tasks_.size() - free_.size(); }

  [[nodiscard]] std::uint32_t add(const Task& task) {
    if (free_.empty()) {
      tasks_.push_back(task);
      return static_cast<std::uint32_t>(tasks_.size() - 1);
    }
    const auto id = free_.back();
    free_.pop_back();
    tasks_[id] = task;
    return id;
  }
  /// It is as it was until the next one is added.
  void remove(std::uint32_t id) { free_.push_back(id); }

 private:
  std::vector<Task> tasks_;
  std::vector<std::uint32_t> free_;
};

}  // namespace artel::fleet::detail
