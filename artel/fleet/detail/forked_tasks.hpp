#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/task_table.hpp"

namespace artel::fleet::detail {

/// Tasks of several parts: each is done with its last one.
///
/// Cost: O(1) per part; memory for as many tasks as were there at once.
class ForkedTasks {
 public:
  static constexpr std::uint32_t kNotForked = UINT32_MAX;

  /// The end of a part, and with the last one of its task.
  struct ForkEnd {
    Instant start{};        ///< of its service; of the task: of the last part's
    bool rejected = false;  ///< of the task: any part was
    bool lost = false;      ///< likewise
  };

  /// A number for a task of that many parts.
  [[nodiscard]] std::uint32_t open(std::uint32_t parts) { return tasks_.add({.left = parts}); }

  /// A part of the task has ended; returns the end of the task if that was the last. kNotForked is
  /// a task of one part.
  [[nodiscard]] std::optional<ForkEnd> ended(std::uint32_t number, const ForkEnd& part) {
    if (number == kNotForked) return part;
    auto& task = tasks_[number];
    task.end.start = std::max(task.end.start, part.start);
    task.end.rejected |= part.rejected;
    task.end.lost |= part.lost;
    if (--task.left > 0) return std::nullopt;
    tasks_.remove(number);
    return task.end;
  }

 private:
  struct ForkedTask {
    std::uint32_t left = 0;
    ForkEnd end{};
  };
  TaskTable<ForkedTask> tasks_;
};

}  // namespace artel::fleet::detail
