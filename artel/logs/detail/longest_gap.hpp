#pragma once

#include <optional>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs::detail {

/// The longest time in which nothing came, if it is longer than chance makes it: five times what is
/// to be expected of so many arrivals at random, and a minute at least. Requires: tasks in order of
/// submission.
[[nodiscard]] std::optional<LogGap> longest_gap(const std::vector<trace::TaskRecord>& tasks);

}  // namespace artel::logs::detail
