#pragma once

#include <string>
#include <utility>
#include <vector>

#include "artel/scenario/override.hpp"

namespace artel::python {

/// What `set=` says: keys, and values as TOML.
using KeyValues = std::vector<std::pair<std::string, std::string>>;

/// The same as --set makes of it. Errors: a Refusal.
[[nodiscard]] std::vector<scenario::Override> overrides_of(const KeyValues& set);

}  // namespace artel::python
