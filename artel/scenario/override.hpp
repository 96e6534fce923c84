#pragma once

#include <string>
#include <string_view>

#include "artel/config/toml_value.hpp"
#include "artel/core/error.hpp"

namespace artel::scenario {

/// `key.path = value` that replaces what the file says, before anything is validated.
struct Override {
  std::string key;    ///< "pool.workers"; a number picks from a list: "dispatch.policies.0.d"
  std::string value;  ///< TOML; what is not TOML counts as text: 50ms, least_loaded
  std::string where;  ///< stands in front of errors: "--set pool.workers=0"
};

/// Reads "key.path=value", the argument of --set. Errors: parse.
[[nodiscard]] Result<Override> parse_override(std::string_view argument);

/// Puts the value in; tables that are missing on the way are made.
/// Errors: the path leads through something that is not a table, or past the end of a list.
[[nodiscard]] Result<bool> apply_override(config::TomlValue& root, const Override& override);

}  // namespace artel::scenario
