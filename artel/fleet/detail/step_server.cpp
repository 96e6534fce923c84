#include "artel/fleet/detail/step_server.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/rounded_digit.hpp"
#include "artel/fleet/detail/server.hpp"

namespace artel::fleet::detail {

void StepServer::enter(const ServerJob& job, Instant /*now*/, ServerNews& news) {
  waiting_.push_back(job);
  if (batch_.empty()) begin_step(news);
}

void StepServer::begin(Instant /*now*/, ServerNews& news) {
  if (batch_.empty() || between_steps_) begin_step(news);
}

double StepServer::until_change() const {
  return batch_.empty() || between_steps_ ? std::numeric_limits<double>::infinity()
                                          : std::max(0.0, left_);
}

void StepServer::change(Instant /*now*/, ServerNews& news) {
  for (auto& one : batch_) {
    if (--one.steps > 0) continue;
    news.ended.push_back(one.job.id);
    held_ -= one.job.work;
  }
  std::erase_if(batch_, [](const InBatch& one) { return one.steps == 0; });
  begin_step(news);
}

bool StepServer::withdraw(std::uint32_t id) {
  return std::erase_if(waiting_, [id](const ServerJob& job) { return job.id == id; }) > 0;
}

void StepServer::restart() {
  left_ = time_;
  for (auto& one : batch_) {
    one.steps = steps_of(one.job);
    left_ += one.join;
  }
}

void StepServer::lose(Instant /*now*/, ServerNews& news) {
  for (const auto& one : batch_) news.ended.push_back(one.job.id);
  batch_.clear();
  begin_step(news);
}

bool StepServer::has_place(const ServerJob& job) const {
  if (batch_.empty()) return true;
  return batch_.size() < settings_.most && held_ + job.work <= to_seconds(settings_.memory);
}

// A service of three steps takes no fourth because of a rounded digit.
std::uint64_t StepServer::steps_of(const ServerJob& job) const {
  return static_cast<std::uint64_t>(std::max(1.0, near_ceil(job.work / step_)));
}

void StepServer::begin_step(ServerNews& news) {
  if (batch_.empty()) held_ = 0;  // so that a long run loses no digits
  between_steps_ = stands();
  if (between_steps_) return;
  const auto stayed = batch_.size();
  while (!waiting_.empty() && has_place(waiting_.front())) {
    const auto& job = waiting_.front();
    const double join = job.join + std::max(0.0, settings_.per_join(dice_));
    batch_.push_back({.job = job, .steps = steps_of(job), .join = join});
    news.started.push_back(job.id);
    held_ += job.work;
    waiting_.pop_front();
  }
  if (batch_.empty()) return;
  const auto jobs = static_cast<double>(batch_.size());
  time_ = std::max(0.0, settings_.fixed(dice_)) +
          jobs * (settings_.per_task + settings_.per_work * step_);
  left_ = time_;
  for (auto one = stayed; one < batch_.size(); ++one) left_ += batch_[one].join;
}

}  // namespace artel::fleet::detail
