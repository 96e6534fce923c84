#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/trace/read_trace.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs {

/// Reads tasks from a file of whichever kind, packed (gzip, zstd) or not: what trace::load_tasks()
/// reads, and every log. `options.format` may be "trace", "joblog" and "csv", too.
///
/// Errors: those of read_log() and of the readers of traces; more tasks than `limits` allow;
///         `cancelled` when stopped.
[[nodiscard]] Result<LoadedLog> load_log(const std::filesystem::path& path,
                                         const LogOptions& options = {},
                                         const trace::TraceLimits& limits = {});

/// For who reads CSV line by line (follow_log()): if these bytes are the start of CSV in artel's
/// own columns, and the options say nothing else but the format "columns", the options that read
/// it; else the same options.
[[nodiscard]] LogOptions with_own_columns(LogOptions options, std::string_view start);

/// Writes the tasks of what load_log() reads to a trace file at `to`, those of a log in the order
/// of its lines; returns how it was read, if it was a log.
///
/// Cost:   a log is read twice, in memory that does not grow with it.
/// Errors: those of load_log(); what a damaged file lost; io; invalid when `to` is the log itself.
///         Then a file that was there stays as it was.
[[nodiscard]] Result<std::optional<LogReading>> convert_log(const std::filesystem::path& from,
                                                            const LogOptions& options,
                                                            const std::filesystem::path& to);
/// The same of several logs, as load_logs() reads them. Requires: there is one.
[[nodiscard]] Result<std::optional<LogReading>> convert_log(
    std::span<const std::filesystem::path> from, const LogOptions& options,
    const std::filesystem::path& to);

}  // namespace artel::logs
