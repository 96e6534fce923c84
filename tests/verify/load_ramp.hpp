#pragma once

#include <filesystem>
#include <vector>

#include "artel/core/error.hpp"
#include "tests/verify/check.hpp"

namespace artel::verify {

/// Load that grows beyond what servers are allotted: from where on round robin misses the deadline,
/// and that Prequal does not. `file` is the scenario.
/// Errors: what is wrong with the file.
[[nodiscard]] Result<std::vector<Check>> load_ramp_checks(const std::filesystem::path& file,
                                                          unsigned jobs);

}  // namespace artel::verify
