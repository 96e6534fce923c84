#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/fleet/detail/server.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::fleet::detail {

/// A job that waits, or could have to.
struct WaitingJob {
  ServerJob job;
  double left = 0;          ///< of its work
  std::uint64_t order = 0;  ///< of arrival
  bool started = false;     ///< it was in service before
};

/// Who goes first: the discipline's own order, and in order of arrival among equals.
class JobOrder {
 public:
  explicit JobOrder(scenario::Discipline discipline) : discipline_(discipline) {}
  /// Less goes first, and may interrupt what has more.
  [[nodiscard]] double rank(const WaitingJob& job) const;
  [[nodiscard]] bool before(const WaitingJob& a, const WaitingJob& b) const;

 private:
  scenario::Discipline discipline_;
};

/// Jobs that wait, in the order of a discipline.
///
/// Cost: O(log jobs) to come and to go; to be taken back, a look through all of them.
class WaitingRoom {
 public:
  explicit WaitingRoom(scenario::Discipline discipline) : order_(discipline) {}

  [[nodiscard]] bool empty() const { return jobs_.empty(); }
  [[nodiscard]] std::size_t size() const { return jobs_.size(); }
  [[nodiscard]] const JobOrder& order() const { return order_; }
  void push(const WaitingJob& job);
  WaitingJob pop();
  /// Takes back a job; false if there is none of that id.
  bool remove(std::uint32_t id) { return remove(id, true); }
  /// The same, if it was never in service.
  bool remove_new(std::uint32_t id) { return remove(id, false); }

 private:
  bool remove(std::uint32_t id, bool started);
  void restore(std::size_t place);

  JobOrder order_;
  std::vector<WaitingJob> jobs_;  // a heap
};

}  // namespace artel::fleet::detail
