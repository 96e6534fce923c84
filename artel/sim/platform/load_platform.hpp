#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "artel/config/problems.hpp"
#include "artel/sim/platform/platform.hpp"

namespace artel::sim {

/// Reads a platform: TOML, or SimGrid's XML when the name ends in ".xml"; and the profiles that it
/// names, from its folder.
/// Errors: all mistakes at once, "file:line:column: what was found, what is allowed"; a file beyond
///         kPlatformBytesMax; more hosts than kPlatformHostsMax.
[[nodiscard]] config::Checked<Platform> load_platform(const std::filesystem::path& path);

/// The same for text in TOML; `file_name` is for messages, and says in which folder profiles are.
[[nodiscard]] config::Checked<Platform> parse_platform(std::string_view text,
                                                       std::string_view file_name);

/// Of a platform file.
inline constexpr std::uint64_t kPlatformBytesMax = 64U << 20U;

}  // namespace artel::sim
