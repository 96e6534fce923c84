#pragma once

#include <string>

#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/command/command_template.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/job_loop.hpp"
#include "artel/core/error.hpp"

namespace artel::app {

/// Whether `artel map` can do this on a cluster. Errors: what it cannot, and why.
[[nodiscard]] Result<void> check_for_cluster(const command::JobLoopOptions& options,
                                             const command::CommandTemplate& command);

/// As JobLoop::run(), with the jobs run by the workers of a cluster. `slots`: jobs at once, 0 for
/// as many as the workers take; with `--cluster local`, threads of its workers, 0 for
/// usable_cpus(). `metrics`: where to serve the master's, if not empty.
/// Requires: options as check_for_cluster() allows.
/// Errors: in the summary; those before the first job are returned.
[[nodiscard]] Result<command::RunSummary> run_on_cluster(const command::CommandTemplate& command,
                                                         command::InputItems& items,
                                                         command::JobLoopOptions options,
                                                         const cluster::ClusterFlags& flags,
                                                         const cluster::QueueOptions& queue,
                                                         const std::string& metrics);

}  // namespace artel::app
