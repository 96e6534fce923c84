#include "artel/fleet/detail/batch_server.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/server.hpp"

namespace artel::fleet::detail {

void BatchServer::enter(const ServerJob& job, Instant now, ServerNews& news) {
  waiting_.push_back({.job = job, .since = now});
  start_if_due(now, news);
}

double BatchServer::until_change() const {
  return batch_.empty() ? std::numeric_limits<double>::infinity() : std::max(0.0, left_);
}

void BatchServer::change(Instant now, ServerNews& news) {
  news.ended.insert(news.ended.end(), batch_.begin(), batch_.end());
  batch_.clear();
  start_if_due(now, news);
}

bool BatchServer::withdraw(std::uint32_t id) {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                  [id](const Waiting& waiting) { return waiting.job.id == id; });
  if (found == waiting_.end()) return false;
  waiting_.erase(found);
  return true;
}

std::optional<Instant> BatchServer::wakes_at() const {
  if (stands() || !batch_.empty() || waiting_.empty()) return std::nullopt;
  return later(waiting_.front().since, settings_.longest_wait);
}

void BatchServer::start_if_due(Instant now, ServerNews& news) {
  if (stands() || !batch_.empty() || waiting_.empty()) return;
  const bool full = waiting_.size() >= settings_.most;
  if (!full && now < later(waiting_.front().since, settings_.longest_wait)) return;
  const auto jobs = std::min<std::size_t>(waiting_.size(), settings_.most);
  double work = 0;
  double joins = 0;
  for (std::size_t i = 0; i < jobs; ++i) {
    work += waiting_.front().job.work;
    joins += waiting_.front().job.join + std::max(0.0, settings_.per_join(dice_));
    batch_.push_back(waiting_.front().job.id);
    waiting_.pop_front();
  }
  news.started.insert(news.started.end(), batch_.begin(), batch_.end());
  time_ = std::max(0.0, settings_.fixed(dice_)) + settings_.per_task * static_cast<double>(jobs) +
          settings_.per_work * work + joins;
  left_ = time_;
}

}  // namespace artel::fleet::detail
