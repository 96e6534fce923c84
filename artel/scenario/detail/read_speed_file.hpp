#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::scenario::detail {

/// The speeds that a CSV file says, row by row, of a pool of so many workers: columns `time` (of
/// the day, in seconds, in order), `speed` and, if there is one, `worker`.
///
/// Errors: "name:line:column: …" for a missing column, times that go back or are not within the
/// day, speeds and workers that are none; those of CsvReader.
[[nodiscard]] Result<std::vector<SpeedTimetable::Point>> read_speed_file(
    const std::filesystem::path& path, Duration day, std::size_t workers);

}  // namespace artel::scenario::detail
