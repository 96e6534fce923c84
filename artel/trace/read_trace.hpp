#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "artel/core/error.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {

/// What readers of traces refuse to go beyond, so that no input can eat the memory.
struct TraceLimits {
  std::uint64_t bytes = std::uint64_t{1} << 30U;
  std::uint64_t tasks = 50'000'000;  ///< 64 bytes each in memory
  std::size_t damages = 100;         ///< broken places in one file
};

/// Whether these bytes start like a trace of artel's own format.
[[nodiscard]] bool is_trace(std::span<const std::byte> bytes);

/// Reads a trace in artel's format (docs/trace-format.md); `name` is for messages.
///
/// Blocks that are broken or cut off are skipped and told in TaskTrace::damage as
/// "name:byte N: …"; the rest is used.
/// Errors: not a trace, another version, a broken header, anything beyond the limits.
[[nodiscard]] Result<TaskTrace> read_trace(std::span<const std::byte> bytes,
                                           const std::string& name, const TraceLimits& limits = {});

}  // namespace artel::trace
