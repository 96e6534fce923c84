#pragma once

#include <filesystem>
#include <vector>

#include "artel/core/error.hpp"
#include "tests/verify/check.hpp"

namespace artel::verify {

/// Figures that the scenarios of a folder reproduce (scenarios/papers: published ones,
/// scenarios/atlas: exact ones), one check per row of its figures.csv. The group is the folder's
/// name. Errors: file, line and what is wrong with it.
[[nodiscard]] Result<std::vector<Check>> paper_checks(const std::filesystem::path& folder,
                                                      unsigned jobs);

/// Linkerd's experiment with one slow server out of eleven (2016): the share of requests that are
/// answered within a second, per policy.
[[nodiscard]] std::vector<Check> slow_server_checks();

}  // namespace artel::verify
