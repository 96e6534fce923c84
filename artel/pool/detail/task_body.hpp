#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/submit_conditions.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/outcomes.hpp"

namespace artel::pool::detail {

/// What a Job can hold: run() and drop() are called at most once, in place of each other, and say
/// how the task ended; nothing when the body accounts for itself.
template <class Body>
concept TaskBody = requires(Body& body, Runner& runner, TaskOutcome outcome) {
  { body.run(runner) } -> std::same_as<std::optional<TaskOutcome>>;
  { body.drop(runner, outcome) } -> std::same_as<std::optional<TaskOutcome>>;
  { body.times() } -> std::same_as<TaskTimes*>;
};

/// Calls `fn`, whatever it returns, for a task without a Future.
template <class F>
TaskOutcome call_task(F& fn, Runner& runner) {
  try {
    static_cast<void>(std::invoke(std::move(fn)));
    return TaskOutcome::done;
  } catch (...) {
    runner.unclaimed_exception();
    return TaskOutcome::failed;
  }
}

/// Just the callable: most tasks.
template <class F>
struct PlainBody {
  F fn;

  std::optional<TaskOutcome> run(Runner& runner) { return call_task(fn, runner); }
  std::optional<TaskOutcome> drop(Runner& /*runner*/, TaskOutcome outcome) { return outcome; }
  TaskTimes* times() { return nullptr; }
};

/// The callable with a TaskTimes (measured, observed) or a SubmitConditions (with conditions)
/// before it.
template <class Label, class F>
struct LabelledBody {
  Label label;
  F fn;

  std::optional<TaskOutcome> run(Runner& runner) {
    Instant started;
    if (const auto refused = runner.begin(label, started)) return drop(runner, *refused);
    const TaskOutcome outcome = call_task(fn, runner);
    runner.end(label, started, outcome);
    return outcome;
  }
  std::optional<TaskOutcome> drop(Runner& runner, TaskOutcome outcome) {
    runner.discard(label, outcome);
    return outcome;
  }
  TaskTimes* times() { return &label; }
};

}  // namespace artel::pool::detail
