#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

/// What the command line of a worker says.
struct WorkerFlags {
  ClusterFlags cluster;
  std::uint32_t threads = 0;  ///< 0: usable_cpus()
  std::string tags;           ///< after commas
};

/// -j, --jobs, and the flags of the cluster. `flags` must live until the command line has been
/// read.
[[nodiscard]] std::vector<FlagSpec> flag_specs(WorkerFlags& flags);

/// What goes on beside a worker: begun when it has connected, and ended, by destroying what this
/// returns, when it has left. Errors: end the worker before it takes anything.
using BesideWorker = std::function<Result<std::shared_ptr<void>>(const WorkerNode&)>;

/// Works for the cluster with what is in TaskRegistry::linked() until SIGTERM or Ctrl-C, tells on
/// stderr what happens, and returns the exit status: 0, 1 (no connection) or 2 (bad flags). The
/// first signal lets what has begun end; the second hands it back, and ends the process.
/// The process is its own: malloc keeps some megabytes that chunks have freed for the next ones.
/// Threads: before any other one starts.
[[nodiscard]] int run_worker(const WorkerFlags& flags, const BesideWorker& beside = {});

/// All of a worker's main(), for programs with functions of their own:
///
///     ARTEL_TASK(thumbnail, Image, const Photo& photo) { … }
///     int main(int argc, char** argv) { return artel::cluster::serve(argc, argv); }
[[nodiscard]] int serve(int argc, char** argv);

}  // namespace artel::cluster
