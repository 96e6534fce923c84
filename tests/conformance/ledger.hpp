#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "tests/conformance/counts.hpp"
#include "tests/conformance/happening.hpp"

namespace artel::conformance {

/// Follows the transcript of a host and notes every law that it breaks:
///  1. nothing is lost or doubled: a task is held, rejected or bound when it arrives, started once
///     by the worker it is bound to, and finished once; the host's counts agree;
///  2. no worker has more tasks than its capacity;
///  3. first in, first out: held tasks are bound in order of arrival (after those that came back
///     from workers which left), no task overtakes them, a worker starts its tasks in the order in
///     which they were bound, and only the oldest of a queue is taken over;
///  4. no task is held, and none rejected, while a worker has room (binds_late: while one has
///     nothing); none is rejected while the common queue has room;
///  5. a settled host has started all it can; with take_over nothing waits while a worker is idle;
///  6. a leaving worker gets nothing new.
class Ledger {
 public:
  explicit Ledger(const Setting& setting) : setting_(setting) {}

  void hear(const Happening& happening);

  /// One text per violation, with the number of the happening; empty: all laws were kept.
  [[nodiscard]] const std::vector<std::string>& violations() const { return violations_; }

 private:
  struct Worker {
    std::size_t capacity = 0;
    bool leaving = false;
    std::deque<TaskId> waiting{};
    std::optional<TaskId> running{};
    [[nodiscard]] std::size_t queued() const { return waiting.size() + (running ? 1 : 0); }
    [[nodiscard]] bool has_room() const { return !leaving && queued() < capacity; }
  };

  void depart(WorkerId id, bool reassign);
  void bound(TaskId task, WorkerId id);
  void settled(const Counts& counts);
  void forget_if_done(WorkerId id);
  [[nodiscard]] bool anyone_could_take() const;
  Worker& at(WorkerId id);
  void violated(bool broken, const std::string& law);

  Setting setting_;
  std::map<WorkerId, Worker> workers_;
  std::set<TaskId> arriving_;  // arrived, and nothing said of them yet
  std::deque<TaskId> held_;
  std::deque<TaskId> returned_;
  std::set<TaskId> seen_;
  Counts counts_;
  std::size_t heard_ = 0;
  std::vector<std::string> violations_;
};

}  // namespace artel::conformance
