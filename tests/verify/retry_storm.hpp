#pragma once

#include <filesystem>
#include <vector>

#include "artel/core/error.hpp"
#include "tests/verify/check.hpp"

namespace artel::verify {

/// A service that is overloaded for a moment, and callers who try again: up to which load it
/// recovers. `file` is the scenario.
/// Errors: what is wrong with the file.
[[nodiscard]] Result<std::vector<Check>> retry_storm_checks(const std::filesystem::path& file,
                                                            unsigned jobs);

}  // namespace artel::verify
