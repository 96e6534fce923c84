#pragma once

#include <string>

#include "app/command_line.hpp"

namespace artel::app {

/// What to say of an option that artel map does not have: for one of GNU parallel or xargs what to
/// write instead, else what could have been meant.
[[nodiscard]] std::string explain_unknown_option(const std::string& option,
                                                 const Subcommand& command);

}  // namespace artel::app
