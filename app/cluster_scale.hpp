#pragma once

#include <string>
#include <vector>

#include "app/command_line.hpp"

namespace artel::app {

/// `artel cluster scale`. `worker`: what stands behind `--`.
void add_scale(Subcommand cluster, std::vector<std::string> worker);

}  // namespace artel::app
