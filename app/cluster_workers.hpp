#pragma once

#include "app/command_line.hpp"

namespace artel::app {

/// `artel cluster add-worker` and `revoke-worker`.
void add_cluster_workers(Subcommand cluster);

}  // namespace artel::app
