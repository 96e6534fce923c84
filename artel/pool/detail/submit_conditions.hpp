#pragma once

#include <stop_token>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/task_times.hpp"

namespace artel::pool::detail {

/// What the submitter asked for beyond running the task.
struct SubmitConditions : TaskTimes {
  SubmitConditions() { of_conditions = 1; }

  Instant deadline = kNever;
  std::stop_token stop{};
  Duration size{};        ///< hinted service time; 0: none
  WorkerId counted_at{};  ///< the worker whose outstanding work includes `size`
  bool counted = false;
};

/// The SubmitConditions that these are the times of; null if there are none.
[[nodiscard]] inline SubmitConditions* conditions_of(TaskTimes& times) {
  return times.of_conditions != 0 ? static_cast<SubmitConditions*>(&times) : nullptr;
}

}  // namespace artel::pool::detail
