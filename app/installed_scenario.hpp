#pragma once

#include <string>

namespace artel::app {

/// The file that "scenarios/mm8.toml" means, as helps and guides write it: the one here or, where
/// there is none, the one that was installed with the command, which is told on stderr. Any other
/// path is taken as it is.
[[nodiscard]] std::string installed_scenario(const std::string& path);

}  // namespace artel::app
