#include "artel/cluster/protocol/detail/roster.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {
namespace {

// What a report may say at most. Nobody is waited for because of a forged one.
constexpr std::uint32_t kThreadsMax = 4096;
constexpr std::uint32_t kCreditMax = 2 * kThreadsMax;
constexpr Duration kEveryMin = std::chrono::milliseconds(1);
constexpr Duration kEveryMax = std::chrono::minutes(1);

}  // namespace

bool Roster::knows(const WorkerReport& report, const std::vector<TaskKey>& tasks) const {
  if (report.signed_only && !signs_ && !tasks.empty()) return false;
  return std::ranges::all_of(tasks, [&](const TaskKey& task) {
    return std::ranges::find(report.tasks, task) != report.tasks.end();
  });
}

bool Roster::heard(WorkerReport report, Instant now) {
  if (report.leaving) return workers_.erase(report.worker) > 0;
  report.threads = std::min(report.threads, kThreadsMax);
  report.credit = std::min(report.credit, kCreditMax);
  report.every = std::clamp(report.every, kEveryMin, kEveryMax);
  const auto [at, is_new] = workers_.try_emplace(report.worker);
  const WorkerReport& before = at->second.report;
  const bool changed =
      is_new || before.credit != report.credit || before.draining != report.draining;
  at->second = {std::move(report), now};
  return changed;
}

void Roster::did_not_listen(Duration time, Instant now) {
  for (auto& [worker, member] : workers_)
    member.unheard = std::min(now - member.heard, member.unheard + time);
}

bool Roster::forget_silent(Instant now) {
  return std::erase_if(workers_, [&](const auto& member) {
           const auto& [report, heard, unheard] = member.second;
           return now - heard - unheard > report.every * WorkerReport::kMissed;
         }) > 0;
}

std::vector<WorkerReport> Roster::workers() const {
  std::vector<WorkerReport> all;
  all.reserve(workers_.size());
  for (const auto& [worker, member] : workers_) all.push_back(member.report);
  return all;
}

const WorkerReport* Roster::find(const std::string& worker) const {
  const auto at = workers_.find(worker);
  return at == workers_.end() ? nullptr : &at->second.report;
}

bool Roster::stays(const std::string& worker) const {
  const WorkerReport* const report = find(worker);
  return report != nullptr && !report->draining;
}

bool Roster::anybody_idle(const std::vector<TaskKey>& tasks, Instant since) const {
  return std::ranges::any_of(workers_, [&](const auto& member) {
    return is_idle(member.first, since) && knows(member.second.report, tasks);
  });
}

bool Roster::is_idle(const std::string& worker, Instant since) const {
  const auto at = workers_.find(worker);
  if (at == workers_.end() || at->second.heard < since) return false;
  return at->second.report.held.empty() && !at->second.report.draining;
}

bool Roster::anybody_missing(const std::vector<TaskKey>& tasks, const std::string& queue) const {
  return std::ranges::any_of(workers_, [&](const auto& member) {
    const WorkerReport& report = member.second.report;
    return !report.draining && knows(report, tasks) &&
           std::ranges::find(report.queues, queue) == report.queues.end();
  });
}

Roster::Strength Roster::strength(const std::vector<TaskKey>& tasks) const {
  Strength sum;
  for (const auto& [worker, member] : workers_) {
    const WorkerReport& report = member.report;
    if (!knows(report, tasks) || report.draining) continue;
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
    if (known && member.report.signed_only && !signs_) {
      known = fail(ErrorCode::unsupported, "there they take signed orders only: give --sign-key");
    }
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
