#pragma once

#include <filesystem>

#include "artel/core/error.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {

/// Writes a picture of the trace for ui.perfetto.dev (see chrome_trace.hpp): a track per worker
/// with its tasks, the waiting of each task beneath, and how many wait and run as counters. Time
/// counts from the start of the recording.
///
/// Cost:   about 2 µs and 600 bytes of file per task.
/// Errors: io; the file appears whole or not at all.
[[nodiscard]] Result<void> write_task_timeline(const std::filesystem::path& path,
                                               const TaskTrace& trace);

}  // namespace artel::trace
