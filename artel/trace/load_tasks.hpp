#pragma once

#include <filesystem>

#include "artel/core/error.hpp"
#include "artel/trace/read_trace.hpp"
#include "artel/trace/task_csv_spec.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {

/// Reads a trace of whichever kind: recorded by artel, a job log of GNU parallel, or CSV; the first
/// bytes tell. `csv` is for the last.
///
/// Errors: those of the reader; not a regular file, too large.
[[nodiscard]] Result<TaskTrace> load_tasks(const std::filesystem::path& path,
                                           const TaskCsvSpec& csv = {},
                                           const TraceLimits& limits = {});

}  // namespace artel::trace
