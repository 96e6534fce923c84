#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/trace/task_trace.hpp"

namespace artel::predict::detail {

/// The most tasks in service at one moment. Cost: O(n log n), as the other.
[[nodiscard]] std::uint32_t most_at_once(const std::vector<trace::TaskRecord>& tasks);

/// How many began before an earlier one of their worker had ended: the worker's place was lent
/// meanwhile, as that one waited inside or had stalled.
[[nodiscard]] std::size_t served_meanwhile(std::vector<trace::TaskRecord> tasks);

}  // namespace artel::predict::detail
