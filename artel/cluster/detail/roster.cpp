#include "artel/cluster/detail/roster.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/cluster/task_key.hpp"
#include "artel/cluster/task_registry.hpp"
#include "artel/cluster/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

bool Roster::heard(WorkerReport report, Instant now) {
  if (report.leaving) return workers_.erase(report.worker) > 0;
  const auto [at, is_new] = workers_.try_emplace(report.worker);
  const WorkerReport& before = at->second.report;
  const bool changed =
      is_new || before.credit != report.credit || before.draining != report.draining;
  at->second = {std::move(report), now};
  return changed;
}

bool Roster::forget_silent(Instant now) {
  return std::erase_if(workers_, [&](const auto& member) {
           const auto& [report, heard] = member.second;
           return now - heard > report.every * WorkerReport::kMissed;
         }) > 0;
}

std::vector<WorkerReport> Roster::workers() const {
  std::vector<WorkerReport> all;
  all.reserve(workers_.size());
  for (const auto& [worker, member] : workers_) all.push_back(member.report);
  return all;
}

Roster::Strength Roster::strength(const std::vector<TaskKey>& tasks) const {
  Strength sum;
  for (const auto& [worker, member] : workers_) {
    const WorkerReport& report = member.report;
    const bool knows = std::ranges::all_of(tasks, [&](const TaskKey& task) {
      return std::ranges::find(report.tasks, task) != report.tasks.end();
    });
    if (!knows || report.draining) continue;
    ++sum.workers;
    sum.threads += report.threads;
    sum.credit += report.credit;
  }
  return sum;
}

Result<void> Roster::check_task(const TaskKey& task) const {
  Error closest{ErrorCode::not_found, "no worker is there", ""};
  for (const auto& [worker, member] : workers_) {
    auto known = check_known(member.report.tasks, task);
    if (known) return {};
    const bool closer = closest.where.empty() || known.error().code == ErrorCode::unsupported;
    if (closer) {
      closest = {known.error().code, known.error().what,
                 fmt::format("worker {} on {}", worker, member.report.host)};
    }
  }
  return tl::unexpected(std::move(closest));
}

}  // namespace artel::cluster::detail
