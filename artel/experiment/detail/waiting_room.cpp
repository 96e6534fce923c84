#include "artel/experiment/detail/waiting_room.hpp"

#include <algorithm>
#include <cstdint>

#include "artel/core/require.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::experiment::detail {

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
  *found = jobs_.back();
  jobs_.pop_back();
  std::make_heap(jobs_.begin(), jobs_.end(),
                 [this](const auto& a, const auto& b) { return order_.before(b, a); });
  return true;
}

}  // namespace artel::experiment::detail
