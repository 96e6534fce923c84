#pragma once

#include <filesystem>

#include "artel/core/error.hpp"
#include "artel/sim/model/profile.hpp"

namespace artel::sim {

/// Reads a profile of a speed, a bandwidth or an availability from a file of at most 64 MiB.
/// Errors: io, too_large; those of parse_profile.
[[nodiscard]] Result<Profile> load_profile(const std::filesystem::path& path);

}  // namespace artel::sim
