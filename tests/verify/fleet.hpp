#pragma once

#include <filesystem>
#include <vector>

#include "artel/core/error.hpp"
#include "tests/verify/check.hpp"

namespace artel::verify {

/// Workers and callers as they are, against exact answers: the rows of fleet.csv.
/// Errors: file, line and what is wrong with it.
[[nodiscard]] Result<std::vector<Check>> fleet_checks(const std::filesystem::path& file,
                                                      unsigned jobs);

/// Whether the file's first line names the columns of fleet.csv; not so of one that cannot be read.
[[nodiscard]] bool has_fleet_columns(const std::filesystem::path& file);

}  // namespace artel::verify
