#pragma once

#include "app/command_line.hpp"

namespace artel::app {

/// `artel cluster up`, `down` and `configure`.
void add_up_and_down(Subcommand cluster);

}  // namespace artel::app
