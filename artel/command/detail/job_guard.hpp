#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>

#include "artel/core/instant.hpp"

namespace artel::command::detail {

/// Ends the jobs of this process when it has died, however it dies: a process of ours, in a session
/// of its own, waits for that. It then ends each job's process group and all descendants that are
/// in other groups: SIGTERM, SIGKILL after `grace`, until none is left.
///
/// The two processes share a table of the jobs that run, in which a job enters itself before its
/// program starts; so none is missed.
///
/// Cost:    a fork, nothing per job. Threads: one at a time.
class JobGuard {
 public:
  /// `kept`: a file whose flock() ends when the process has died and no job is left; -1: none.
  /// `groups`: jobs have process groups of their own.
  JobGuard(int kept, Duration grace, bool groups);
  JobGuard(const JobGuard&) = delete;
  JobGuard& operator=(const JobGuard&) = delete;
  /// Ends the guard, and no job.
  ~JobGuard();

  /// Where the job at `index` enters its process id; null: there is no guard for it.
  [[nodiscard]] std::atomic<pid_t>* entry(std::size_t index) const;
  /// The job has ended.
  void clear(std::size_t index) const {
    if (auto* const at = entry(index)) at->store(0);
  }

 private:
  std::atomic<pid_t>* table_ = nullptr;
  pid_t pid_ = -1;
};

}  // namespace artel::command::detail
