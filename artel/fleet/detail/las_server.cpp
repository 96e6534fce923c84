#include "artel/fleet/detail/las_server.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/server.hpp"

namespace artel::fleet::detail {
namespace {

constexpr auto kMoreWork = [](const auto& a, const auto& b) {
  return a.job.work != b.job.work ? a.job.work > b.job.work : a.order > b.order;
};

}  // namespace

void LasServer::take(const ServerJob& job, ServerNews& news) {
  if (groups_.empty() || groups_.back().attained > 0) groups_.emplace_back();
  auto& jobs = groups_.back().jobs;
  jobs.push_back({.order = ++arrived_, .job = job});
  std::push_heap(jobs.begin(), jobs.end(), kMoreWork);
  news.started.push_back(job.id);
}

double LasServer::until_end() const {
  const auto& group = groups_.back();
  return std::max(0.0, group.jobs.front().job.work - group.attained);
}

double LasServer::until_level() const {
  if (groups_.size() < 2) return std::numeric_limits<double>::infinity();
  return std::max(0.0, groups_[groups_.size() - 2].attained - groups_.back().attained);
}

double LasServer::until_change() const {
  if (groups_.empty()) return std::numeric_limits<double>::infinity();
  return std::min(until_end(), until_level()) * static_cast<double>(groups_.back().jobs.size());
}

void LasServer::advance(double clock) {
  if (groups_.empty()) return;
  groups_.back().attained += clock / static_cast<double>(groups_.back().jobs.size());
}

void LasServer::change(Instant /*now*/, ServerNews& news) {
  auto& group = groups_.back();
  if (until_end() <= until_level()) {
    group.attained = group.jobs.front().job.work;  // exactly, however events were rounded
    // All that are through, as who comes now would be served before them.
    while (!group.jobs.empty() && group.jobs.front().job.work <= group.attained) {
      news.ended.push_back(group.jobs.front().job.id);
      std::pop_heap(group.jobs.begin(), group.jobs.end(), kMoreWork);
      group.jobs.pop_back();
    }
    if (group.jobs.empty()) groups_.pop_back();
    return;
  }
  auto level = std::move(group.jobs);
  groups_.pop_back();
  auto& jobs = groups_.back().jobs;
  if (jobs.size() < level.size()) std::swap(jobs, level);
  for (const auto& job : level) {
    jobs.push_back(job);
    std::push_heap(jobs.begin(), jobs.end(), kMoreWork);
  }
}

bool LasServer::cancel(std::uint32_t id, Instant /*now*/, ServerNews& /*news*/) {
  if (withdraw(id)) return true;
  for (auto group = groups_.begin(); group != groups_.end(); ++group) {
    auto& jobs = group->jobs;
    const auto found = std::ranges::find(jobs, id, [](const AttainedJob& a) { return a.job.id; });
    if (found == jobs.end()) continue;
    *found = jobs.back();
    jobs.pop_back();
    std::make_heap(jobs.begin(), jobs.end(), kMoreWork);
    if (jobs.empty()) groups_.erase(group);
    return true;
  }
  return false;
}

void LasServer::restart() {
  AgeGroup all;
  for (auto& group : groups_) all.jobs.insert(all.jobs.end(), group.jobs.begin(), group.jobs.end());
  if (all.jobs.empty()) return;
  std::make_heap(all.jobs.begin(), all.jobs.end(), kMoreWork);
  groups_.clear();
  groups_.push_back(std::move(all));
}

void LasServer::lose(Instant /*now*/, ServerNews& news) {
  restart();
  if (groups_.empty()) return;
  auto lost = std::move(groups_.back().jobs);
  groups_.clear();
  std::sort(lost.begin(), lost.end(),
            [](const AttainedJob& a, const AttainedJob& b) { return a.order < b.order; });
  for (const auto& level : lost) news.ended.push_back(level.job.id);
}

}  // namespace artel::fleet::detail
