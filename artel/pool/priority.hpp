#pragma once

#include <cstddef>
#include <cstdint>

namespace artel::pool {

/// How urgent a task is while it waits; never interrupts one that runs.
enum class Priority : std::uint8_t {
  high,    ///< before anything else that waits
  normal,  ///< in order of arrival
  low,     ///< when nothing else waits, and one in about a thousand tasks
};
/// How many there are.
inline constexpr std::size_t kPriorities = 3;

}  // namespace artel::pool
