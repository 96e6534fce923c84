#include "artel/trace/task_trace.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>
#include "artel/core/instant.hpp"

namespace artel::trace {
namespace {

constexpr std::array<std::string_view, kTaskOutcomes> kOutcomeNames{"done", "failed", "cancelled",
                                                                    "expired", "rejected"};
constexpr std::array<std::string_view, 3> kLoopNames{"unknown", "open", "closed"};

template <class Enum, std::size_t kCount>
std::optional<Enum> find(const std::array<std::string_view, kCount>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view name(TaskOutcome outcome) {
  return kOutcomeNames[static_cast<std::size_t>(outcome)];
}

std::optional<TaskOutcome> find_task_outcome(std::string_view name) {
  return find<TaskOutcome>(kOutcomeNames, name);
}

bool plausible(const TaskRecord& task) {
  const Instant zero{};
  if (task.submitted < zero - TaskRecord::kTimeMax ||
      task.submitted > zero + TaskRecord::kTimeMax) {
    return false;
  }
  Instant before = task.submitted;
  for (const Instant time : {task.bound, task.started, task.finished}) {
    if (time < before || time - before > TaskRecord::kStepMax) return false;
    before = time;
  }
  return task.size >= Duration::zero() && task.patience >= Duration::zero();
}

std::string_view name(Loop loop) { return kLoopNames[static_cast<std::size_t>(loop)]; }

std::optional<Loop> find_loop(std::string_view name) { return find<Loop>(kLoopNames, name); }

std::string_view TraceHeader::setting(std::string_view name) const {
  const auto found = settings.find(name);
  return found == settings.end() ? std::string_view{} : found->second;
}

void sort_by_submission(std::vector<TaskRecord>& tasks) {
  std::sort(tasks.begin(), tasks.end(), [](const TaskRecord& a, const TaskRecord& b) {
    return std::tie(a.submitted, a.finished, a.worker, a.started) <
           std::tie(b.submitted, b.finished, b.worker, b.started);
  });
}

}  // namespace artel::trace
