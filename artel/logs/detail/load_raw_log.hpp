#pragma once

#include <filesystem>

#include "artel/core/error.hpp"
#include "artel/logs/log_options.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/trace/read_trace.hpp"

namespace artel::logs::detail {

/// Why a file is refused beside others.
inline constexpr const char* kOnlyLogs =
    "several files are read together if all of them are logs; CSV in columns that have artel's "
    "names is one with --format columns";

/// load_log(), whose tasks have the numbers of all the classes that its reading lists, so that they
/// can be put together with those of other logs.
[[nodiscard]] Result<LoadedLog> load_raw_log(const std::filesystem::path& path,
                                             const LogOptions& options,
                                             const trace::TraceLimits& limits);

}  // namespace artel::logs::detail
