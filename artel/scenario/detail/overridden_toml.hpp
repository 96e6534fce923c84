#pragma once

#include <span>
#include <string_view>

#include "artel/config/problems.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/scenario/override.hpp"

namespace artel::scenario::detail {

/// The file with those values put in, before anything is validated.
[[nodiscard]] config::Checked<config::TomlValue> overridden_toml(
    std::string_view text, std::string_view file_name, std::span<const Override> overrides);

}  // namespace artel::scenario::detail
