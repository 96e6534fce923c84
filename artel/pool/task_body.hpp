#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <utility>

#include "artel/pool/runner.hpp"
#include "artel/pool/stamp.hpp"

namespace artel::pool {

/// What a Job can hold: run() and drop() are called at most once, in place of each other, and say
/// how the task ended; nothing when the body accounts for itself.
template <class Body>
concept TaskBody = requires(Body& body, Runner& runner, Outcome outcome) {
  { body.run(runner) } -> std::same_as<std::optional<Outcome>>;
  { body.drop(runner, outcome) } -> std::same_as<std::optional<Outcome>>;
  { body.stamp() } -> std::same_as<Stamp*>;
};

/// Calls `fn`, whatever it returns, for a task without a Future.
template <class F>
Outcome call_task(F& fn, Runner& runner) {
  try {
    static_cast<void>(std::invoke(std::move(fn)));
    return Outcome::done;
  } catch (...) {
    runner.unclaimed_exception();
    return Outcome::failed;
  }
}

/// Just the callable: most tasks.
template <class F>
struct PlainBody {
  F fn;

  std::optional<Outcome> run(Runner& runner) { return call_task(fn, runner); }
  std::optional<Outcome> drop(Runner& /*runner*/, Outcome outcome) { return outcome; }
  Stamp* stamp() { return nullptr; }
};

/// The callable with a Stamp (measured, observed) or a Ticket (with conditions) before it.
template <class Label, class F>
struct LabelledBody {
  Label label;
  F fn;

  std::optional<Outcome> run(Runner& runner) {
    if (const auto refused = runner.begin(label)) return drop(runner, *refused);
    const Outcome outcome = call_task(fn, runner);
    runner.end(label, outcome);
    return outcome;
  }
  std::optional<Outcome> drop(Runner& runner, Outcome outcome) {
    runner.discard(label, outcome);
    return outcome;
  }
  Stamp* stamp() { return &label; }
};

}  // namespace artel::pool
