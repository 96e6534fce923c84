#include "artel/fleet/detail/slot_server.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/server.hpp"
#include "artel/fleet/detail/waiting_room.hpp"

namespace artel::fleet::detail {
namespace {

constexpr auto kLaterEnd = [](const auto& a, const auto& b) {
  return a.end != b.end ? a.end > b.end : a.job.order > b.job.order;
};

}  // namespace

void SlotServer::enter(const ServerJob& job, Instant /*now*/, ServerNews& news) {
  const WaitingJob coming{.job = job, .left = job.work, .order = ++arrived_};
  if (stands()) return waiting_.push(coming);
  if (running_.size() < options_.slots) return start(coming, news);
  if (!interrupt_for(coming, news)) waiting_.push(coming);
}

// Requires: all slots are busy.
bool SlotServer::interrupt_for(const WaitingJob& coming, ServerNews& news) {
  if (!options_.interrupts) return false;
  WaitingJob interrupted;
  const auto slot = least_urgent(interrupted);
  if (!waiting_.order().before(coming, interrupted)) return false;
  running_[slot] = running_.back();
  running_.pop_back();
  order_running();
  waiting_.push(interrupted);
  start(coming, news);
  return true;
}

void SlotServer::begin(Instant /*now*/, ServerNews& news) {
  fill(news);
  while (!waiting_.empty()) {
    const auto first = waiting_.pop();
    if (interrupt_for(first, news)) continue;
    waiting_.push(first);
    break;
  }
}

std::size_t SlotServer::least_urgent(WaitingJob& job) const {
  std::size_t last = 0;
  for (std::size_t i = 0; i < running_.size(); ++i) {
    auto candidate = running_[i].job;
    candidate.left = left_of(running_[i]);
    if (i > 0 && !waiting_.order().before(job, candidate)) continue;
    job = candidate;
    last = i;
  }
  return last;
}

// Exactly what it had if it has only begun, so that no equal one goes before it.
double SlotServer::left_of(const Running& running) const {
  return clock_ == running.begun ? running.job.left : std::max(0.0, running.end - clock_);
}

void SlotServer::start(WaitingJob job, ServerNews& news) {
  if (!std::exchange(job.started, true)) news.started.push_back(job.job.id);
  running_.push_back({.begun = clock_, .end = clock_ + job.left, .job = job});
  std::push_heap(running_.begin(), running_.end(), kLaterEnd);
}

void SlotServer::fill(ServerNews& news) {
  while (!stands() && running_.size() < options_.slots && !waiting_.empty())
    start(waiting_.pop(), news);
  if (running_.empty()) clock_ = 0;  // so that a long run loses no digits
}

double SlotServer::until_change() const {
  if (running_.empty()) return std::numeric_limits<double>::infinity();
  return std::max(0.0, running_.front().end - clock_);
}

void SlotServer::change(Instant /*now*/, ServerNews& news) {
  std::pop_heap(running_.begin(), running_.end(), kLaterEnd);
  const auto ended = running_.back();
  running_.pop_back();
  clock_ = ended.end;  // exactly, however events were rounded
  news.ended.push_back(ended.job.job.id);
  fill(news);
}

bool SlotServer::cancel(std::uint32_t id, Instant /*now*/, ServerNews& news) {
  if (waiting_.remove(id)) return true;
  const auto found = std::ranges::find(running_, id, [](const Running& r) { return r.job.job.id; });
  if (found == running_.end()) return false;
  *found = running_.back();
  running_.pop_back();
  order_running();
  fill(news);
  return true;
}

void SlotServer::order_running() { std::make_heap(running_.begin(), running_.end(), kLaterEnd); }

void SlotServer::restart() {
  for (auto& running : running_) {
    running.job.left = running.job.job.work;
    running.begun = clock_;
    running.end = clock_ + running.job.left;
  }
  order_running();
}

void SlotServer::lose(Instant /*now*/, ServerNews& news) {
  std::sort(running_.begin(), running_.end(),
            [](const Running& a, const Running& b) { return a.job.order < b.job.order; });
  for (const auto& running : running_) news.ended.push_back(running.job.job.id);
  running_.clear();
  fill(news);
}

}  // namespace artel::fleet::detail
