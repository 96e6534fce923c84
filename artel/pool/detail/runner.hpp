#pragma once

#include <optional>

#include "artel/core/instant.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/outcomes.hpp"

namespace artel::pool::detail {

class Job;

/// Whoever runs tasks, or ends them unstarted, as a task sees it. Judges whether
/// a measured task may still start, measures it, and hears of exceptions that nobody asked for.
///
/// Threads: belongs to the thread that runs the task.
class Runner {
 public:
  /// How a measured task that must not start any more ends; nothing: it starts now, at `started`.
  virtual std::optional<TaskOutcome> begin(TaskTimes& times, Instant& started) = 0;
  /// The task that was begun last has ended. Tasks nest: one may run another that it waits for.
  virtual void end(TaskTimes& times, Instant started, TaskOutcome outcome) = 0;
  /// The task that was begun last has not ended: it will begin once more, somewhere.
  virtual void put_off() = 0;
  /// A task that was accepted, and could not run here, waits first in line for another worker.
  /// False: there is no memory for that, and the job is left as it was.
  [[nodiscard]] virtual bool put_back(Job& job) = 0;
  /// A measured task ends without having been begun.
  virtual void discard(TaskTimes& times, TaskOutcome outcome) = 0;
  /// Adds to the accounts a task that ended, for bodies that account for themselves.
  virtual void account(TaskOutcome outcome) = 0;
  /// The current exception was thrown by a task without a Future.
  virtual void unclaimed_exception() = 0;

 protected:
  ~Runner() = default;
};

}  // namespace artel::pool::detail
