#pragma once

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/submission.hpp"
#include "artel/pool/detail/task_body.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::pool::detail {

/// A task that something built on a pool (a timer, a strand, a graph) queues for itself. Once it is
/// accepted it is told what became of it: run(), or drop() if the pool cancels it. What run()
/// throws goes to PoolOptions::on_exception.
template <class W>
concept QueuedWork = std::is_nothrow_move_constructible_v<W> && requires(W& work) {
  work.run();
  { work.drop() } noexcept;
};

/// It as a task body, measured and recorded as other tasks are.
template <QueuedWork Work>
struct WorkBody {
  TaskTimes label;
  Work work;

  std::optional<TaskOutcome> run(Runner& runner) {
    const bool wanted = label.wanted();
    Instant started{};
    if (wanted) static_cast<void>(runner.begin(label, started));  // no conditions could refuse it
    auto call = [this] { work.run(); };
    const TaskOutcome outcome = call_task(call, runner);
    if (wanted) runner.end(label, started, outcome);
    return outcome;
  }
  std::optional<TaskOutcome> drop(Runner& runner, TaskOutcome outcome) {
    if (label.wanted()) runner.discard(label, outcome);
    work.drop();
    return outcome;
  }
  TaskTimes* times() { return label.wanted() ? &label : nullptr; }
};

/// A job of it, labelled as the next task of this submitter.
template <QueuedWork Work>
Job job_of_work(Submission& submission, Work work) {
  Producer& producer = submission.producer();
  const bool measured = Submission::measures_next(producer);
  TaskTimes label;
  if (measured || submission.recording()) {
    label = submission.times(producer, measured);
  } else {
    label.weight = 0;
    ++producer.unmeasured;
  }
  return Job(WorkBody<Work>{label, std::move(work)});
}

/// Queues it as Pool::post() does, waiting for room until that time. Refused: neither run() nor
/// drop() is called. A policy that throws does not keep it out (Submission::admit_work).
template <QueuedWork Work>
Admission admit_work(Submission& submission, Work work, Instant until) {
  Job job = job_of_work(submission, std::move(work));
  return submission.admit_work(job, until);
}

/// Queues it behind all that waits in the common queue (Submission::admit_behind).
template <QueuedWork Work>
Admission admit_behind(Submission& submission, Work work) {
  Job job = job_of_work(submission, std::move(work));
  return submission.admit_behind(job);
}

}  // namespace artel::pool::detail
