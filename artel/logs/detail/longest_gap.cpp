#include "artel/logs/detail/longest_gap.hpp"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs::detail {

std::optional<LogGap> longest_gap(const std::vector<trace::TaskRecord>& tasks) {
  constexpr std::size_t kTasksMin = 100;  // fewer tell nothing
  constexpr double kBeyondChance = 5;
  constexpr Duration kShortest = std::chrono::minutes(1);
  if (tasks.size() < kTasksMin) return std::nullopt;
  LogGap gap;
  for (std::size_t i = 1; i < tasks.size(); ++i) {
    const auto length = tasks[i].submitted - tasks[i - 1].submitted;
    if (length > gap.length) gap = {tasks[i - 1].submitted - tasks.front().submitted, length};
  }
  // Of the other gaps: the longest of n exponential ones is ln(n) times the mean.
  const auto n = static_cast<double>(tasks.size() - 2);
  const auto rest = tasks.back().submitted - tasks.front().submitted - gap.length;
  const double chance = std::log(n) * to_seconds(rest) / n;
  if (gap.length < kShortest || to_seconds(gap.length) < kBeyondChance * chance)
    return std::nullopt;
  return gap;
}

}  // namespace artel::logs::detail
