#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs::detail {

/// One row of numbers for the workers of several logs, each of which has its own.
class WorkerNumbers {
 public:
  /// `names`: LogReading::workers of the log that the task is of.
  void renumber(trace::TaskRecord& task, const std::vector<std::uint64_t>& names) {
    const auto old = static_cast<std::size_t>(index(task.worker));
    if (task.worker == trace::TaskRecord::kNobody || old >= names.size()) return;
    const auto next = static_cast<std::uint32_t>(numbers_.size());
    task.worker = WorkerId{numbers_.try_emplace(names[old], next).first->second};
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

}  // namespace artel::logs::detail
