#pragma once

#include <filesystem>
#include <span>

#include "artel/core/error.hpp"
#include "artel/logs/load_log.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/trace/read_trace.hpp"

namespace artel::logs {

/// Reads several logs of one kind as one, by time: what a log was rotated into, or what several
/// machines wrote. Workers of one name are one. Clocks are taken to agree; whether the logs
/// overlap, so that it matters, is in LogReading::overlaps. One file is read as load_log() does.
///
/// Errors: those of load_log(); several of which one is no log, or says less of its tasks than the
///         others do.
[[nodiscard]] Result<LoadedLog> load_logs(std::span<const std::filesystem::path> paths,
                                          const LogOptions& options = {},
                                          const trace::TraceLimits& limits = {});

}  // namespace artel::logs
