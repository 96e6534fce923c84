#include "artel/fleet/detail/sharing_server.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/server.hpp"

namespace artel::fleet::detail {
namespace {

constexpr auto kSharesLonger = [](const auto& a, const auto& b) {
  return a.end != b.end ? a.end > b.end : a.order > b.order;
};

}  // namespace

double SharingServer::rate() const {
  const auto jobs = static_cast<double>(jobs_.size());
  if (total_speed_.empty()) return 1 / jobs;
  return total_speed_[std::min(jobs_.size(), total_speed_.size()) - 1] / jobs;
}

void SharingServer::take(const ServerJob& job, ServerNews& news) {
  jobs_.push_back({.end = attained_ + job.work, .order = ++arrived_, .job = job});
  std::push_heap(jobs_.begin(), jobs_.end(), kSharesLonger);
  news.started.push_back(job.id);
}

double SharingServer::until_change() const {
  if (jobs_.empty()) return std::numeric_limits<double>::infinity();
  return std::max(0.0, jobs_.front().end - attained_) / rate();
}

void SharingServer::advance(double clock) {
  if (!jobs_.empty()) attained_ += clock * rate();
}

void SharingServer::change(Instant /*now*/, ServerNews& news) {
  std::pop_heap(jobs_.begin(), jobs_.end(), kSharesLonger);
  attained_ = jobs_.back().end;  // exactly, however events were rounded
  news.ended.push_back(jobs_.back().job.id);
  jobs_.pop_back();
  if (jobs_.empty()) attained_ = 0;  // so that a long run loses no digits
}

bool SharingServer::cancel(std::uint32_t id, Instant /*now*/, ServerNews& /*news*/) {
  if (withdraw(id)) return true;
  const auto found = std::ranges::find(jobs_, id, [](const SharingJob& s) { return s.job.id; });
  if (found == jobs_.end()) return false;
  *found = jobs_.back();
  jobs_.pop_back();
  std::make_heap(jobs_.begin(), jobs_.end(), kSharesLonger);
  if (jobs_.empty()) attained_ = 0;
  return true;
}

void SharingServer::restart() {
  for (auto& sharing : jobs_) sharing.end = attained_ + sharing.job.work;
  std::make_heap(jobs_.begin(), jobs_.end(), kSharesLonger);
}

void SharingServer::lose(Instant /*now*/, ServerNews& news) {
  std::sort(jobs_.begin(), jobs_.end(),
            [](const SharingJob& a, const SharingJob& b) { return a.order < b.order; });
  for (const auto& sharing : jobs_) news.ended.push_back(sharing.job.id);
  jobs_.clear();
  attained_ = 0;
}

}  // namespace artel::fleet::detail
