#pragma once

#include <vector>

#include "app/command_line.hpp"
#include "artel/cluster/cluster_flags.hpp"

namespace artel::app {

/// Adds what the cluster's library wants to know. What the flags set must live until the command
/// line has been read.
void add_flags(Subcommand command, const std::vector<cluster::FlagSpec>& flags);

}  // namespace artel::app
