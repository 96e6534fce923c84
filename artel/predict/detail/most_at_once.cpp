#include "artel/predict/detail/most_at_once.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict::detail {

std::uint32_t most_at_once(const std::vector<trace::TaskRecord>& tasks) {
  std::vector<trace::TaskRecord> by_start = tasks;
  std::sort(by_start.begin(), by_start.end(),
            [](const auto& a, const auto& b) { return a.started < b.started; });
  std::priority_queue<Instant, std::vector<Instant>, std::greater<>> ends;
  std::size_t most = 0;
  for (const auto& task : by_start) {
    while (!ends.empty() && ends.top() <= task.started) ends.pop();
    ends.push(task.finished);
    most = std::max(most, ends.size());
  }
  return static_cast<std::uint32_t>(most);
}

std::size_t served_meanwhile(std::vector<trace::TaskRecord> tasks) {
  constexpr Duration kClocks = std::chrono::microseconds(5);  // processors' may differ
  std::ranges::sort(tasks, {}, &trace::TaskRecord::started);
  std::unordered_map<WorkerId, Instant> busy_until;
  std::size_t count = 0;
  for (const auto& task : tasks) {
    if (task.worker == trace::TaskRecord::kNobody) continue;
    auto& until = busy_until.try_emplace(task.worker, Instant::min()).first->second;
    if (until > Instant::min() && task.started < until - kClocks) ++count;
    until = std::max(until, task.finished);
  }
  return count;
}

}  // namespace artel::predict::detail
