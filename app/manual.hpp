#pragma once

#include <string>

#include "app/command_line.hpp"

namespace artel::app {

/// The manual page artel-NAME(1) of a subcommand, for man(1): made of what its help says.
[[nodiscard]] std::string manual_page(const Subcommand& command);

}  // namespace artel::app
