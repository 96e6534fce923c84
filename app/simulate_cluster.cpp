#include "app/simulate_cluster.hpp"

#include <memory>
#include <utility>

#include "app/cluster_flag_options.hpp"
#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/replication_task.hpp"
#include "app/used_cluster.hpp"
#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/core/error.hpp"
#include "artel/experiment/replication_job.hpp"

namespace artel::app {

struct SimulateCluster::Flags : cluster::ClusterFlags {};

SimulateCluster::SimulateCluster() : flags_(std::make_shared<Flags>()) {}

void SimulateCluster::add_options(Subcommand command) {
  add_flags(command,
            flag_specs(*flags_,
                       "Run replications at the workers of a cluster: nats://host:port[,…], "
                       "tls://…, or local; the result is the same"));
}

experiment::ReplicationRunner SimulateCluster::runner(unsigned threads) const {
  if (flags_->servers.empty()) return {};
  if (flags_->local()) cluster::register_task<ReplicationTask>();
  auto used = UsedCluster::connect(*flags_, threads, "artel simulate");
  if (!used) {
    refuse(used.error(),
           used.error().code == ErrorCode::invalid ? ExitStatus::bad_input : ExitStatus::failed);
  }
  const auto held = std::make_shared<UsedCluster>(*std::move(used));
  return [held, run = cluster_runner(held->cluster())](const auto&... of) { return run(of...); };
}

}  // namespace artel::app
