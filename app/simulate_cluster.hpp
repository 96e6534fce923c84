#pragma once

#include <memory>

#include "app/command_line.hpp"
#include "artel/experiment/replication_job.hpp"

namespace artel::app {

/// Whether `artel simulate` has its replications run by a cluster, and by which. Where artel was
/// built without component cluster, --cluster is refused.
class SimulateCluster {
 public:
  SimulateCluster();

  /// Adds --cluster and what belongs to it; this must live until the command line has been read.
  void add_options(Subcommand command);

  /// Connects, if a cluster was asked for, and holds the connection; ends the command if that
  /// fails. Empty: none was asked for. `threads`: of `--cluster local`.
  [[nodiscard]] experiment::ReplicationRunner runner(unsigned threads) const;

 private:
  struct Flags;
  std::shared_ptr<Flags> flags_;
};

}  // namespace artel::app
