#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

/// What a job knows of the workers.
struct WorkersView {
  std::size_t credit = 0;   ///< chunks that those who know the job's tasks have in hand at most
  std::size_t out_max = 0;  ///< chunks that are to be out at most, so that nobody runs out
  bool anybody = false;     ///< whether there is any worker
  Result<void> known{};     ///< whether one of them knows the tasks; else what to say
};

/// Who is there, by what workers report of themselves.
///
/// Threads: one at a time; `now` comes from outside.
class Roster {
 public:
  /// Those who take signed orders only count as knowing no task, if there are none.
  explicit Roster(bool signs) : signs_(signs) {}

  /// Returns whether something has changed that counts for how much can be sent: a worker came or
  /// left, drains, or has another credit.
  bool heard(WorkerReport report, Instant now);
  /// No report could be received for so long: silence of that time is not theirs.
  void did_not_listen(Duration time, Instant now);
  /// Forgets those that have not reported for too long. Returns whether there were any.
  bool forget_silent(Instant now);

  /// By id.
  [[nodiscard]] std::vector<WorkerReport> workers() const;
  [[nodiscard]] bool empty() const { return workers_.empty(); }
  [[nodiscard]] const WorkerReport* find(const std::string& worker) const;
  /// Whether it is there, and neither drains nor leaves.
  [[nodiscard]] bool stays(const std::string& worker) const;
  /// Whether one of those who know all these tasks has said since then that it has nothing in hand.
  [[nodiscard]] bool anybody_idle(const std::vector<TaskKey>& tasks, Instant since) const;
  [[nodiscard]] bool is_idle(const std::string& worker, Instant since) const;
  /// Whether one of those who know all these tasks does not pull from this queue.
  [[nodiscard]] bool anybody_missing(const std::vector<TaskKey>& tasks,
                                     const std::string& queue) const;
  /// What the workers have together: those that know all these tasks, and take chunks.
  struct Strength {
    std::size_t workers = 0;
    std::size_t threads = 0;
    std::size_t credit = 0;  ///< chunks that they have in hand at most
  };
  [[nodiscard]] Strength strength(const std::vector<TaskKey>& tasks) const;
  /// That there is a worker who knows the task. Errors: as check_known(), for the worker that comes
  /// closest; unsupported: it takes signed orders only; not_found when nobody is there.
  [[nodiscard]] Result<void> check_task(const TaskKey& task) const;

 private:
  struct Member {
    WorkerReport report;
    Instant heard{};
    Duration unheard{};  // of the time since: in which no report could be received
  };
  [[nodiscard]] bool knows(const WorkerReport& report, const std::vector<TaskKey>& tasks) const;

  const bool signs_;
  std::map<std::string, Member> workers_;
};

}  // namespace artel::cluster::detail
