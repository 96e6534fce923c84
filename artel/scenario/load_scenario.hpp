#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "artel/config/problems.hpp"
#include "artel/scenario/overload.hpp"  // IWYU pragma: export
#include "artel/scenario/override.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::scenario {

/// Reads a scenario; `file_name` is for messages, and trace files are looked up beside it.
/// Errors: "file:line:column: what was found, what is allowed", as many as make sense at once.
[[nodiscard]] config::Checked<Scenario> parse_scenario(std::string_view text,
                                                       std::string_view file_name,
                                                       std::span<const Override> overrides = {},
                                                       Overload overload = Overload::refuse);

/// Same, from a file of at most kScenarioBytesMax bytes.
[[nodiscard]] config::Checked<Scenario> load_scenario(const std::filesystem::path& path,
                                                      std::span<const Override> overrides = {},
                                                      Overload overload = Overload::refuse);
inline constexpr std::size_t kScenarioBytesMax = std::size_t{1} << 20;

}  // namespace artel::scenario
