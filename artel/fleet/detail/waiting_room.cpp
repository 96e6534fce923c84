#include "artel/fleet/detail/waiting_room.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "artel/core/require.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::fleet::detail {

double JobOrder::rank(const WaitingJob& job) const {
  switch (discipline_) {
    case scenario::Discipline::lifo:
      return -static_cast<double>(job.order);
    case scenario::Discipline::priority:
      return -static_cast<double>(job.job.priority);
    case scenario::Discipline::sjf:
      return job.job.work;
    case scenario::Discipline::edf:
      return job.job.deadline;
    case scenario::Discipline::srpt:
      return job.left;
    default:
      return 0;
  }
}

bool JobOrder::before(const WaitingJob& a, const WaitingJob& b) const {
  const double rank_a = rank(a);
  const double rank_b = rank(b);
  return rank_a != rank_b ? rank_a < rank_b : a.order < b.order;
}

void WaitingRoom::push(const WaitingJob& job) {
  jobs_.push_back(job);
  std::push_heap(jobs_.begin(), jobs_.end(),
                 [this](const auto& a, const auto& b) { return order_.before(b, a); });
}

WaitingJob WaitingRoom::pop() {
  ARTEL_REQUIRE(!jobs_.empty(), "somebody waits");
  std::pop_heap(jobs_.begin(), jobs_.end(),
                [this](const auto& a, const auto& b) { return order_.before(b, a); });
  const auto job = jobs_.back();
  jobs_.pop_back();
  return job;
}

bool WaitingRoom::remove(std::uint32_t id, bool started) {
  const auto found = std::find_if(jobs_.begin(), jobs_.end(), [=](const WaitingJob& waiting) {
    return waiting.job.id == id && (started || !waiting.started);
  });
  if (found == jobs_.end()) return false;
  const auto place = static_cast<std::size_t>(found - jobs_.begin());
  *found = jobs_.back();
  jobs_.pop_back();
  if (place < jobs_.size()) restore(place);
  return true;
}

// All are in order but for this one, which goes down, or else up.
void WaitingRoom::restore(std::size_t place) {
  auto at = place;
  for (auto child = 2 * at + 1; child < jobs_.size(); child = 2 * at + 1) {
    if (child + 1 < jobs_.size() && order_.before(jobs_[child + 1], jobs_[child])) ++child;
    if (!order_.before(jobs_[child], jobs_[at])) break;
    std::swap(jobs_[child], jobs_[at]);
    at = child;
  }
  if (at > place) return;
  std::push_heap(jobs_.begin(), jobs_.begin() + static_cast<std::ptrdiff_t>(place) + 1,
                 [this](const auto& a, const auto& b) { return order_.before(b, a); });
}

}  // namespace artel::fleet::detail
