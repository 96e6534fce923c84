#include "app/map_cluster.hpp"

#include <memory>
#include <string>

#include "app/cluster_flag_options.hpp"
#include "app/cluster_map.hpp"
#include "app/command_line.hpp"
#include "app/metrics.hpp"
#include "artel/cluster/cluster_flags.hpp"
#include "artel/command/command_template.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/core/error.hpp"

namespace artel::app {
namespace {

// Than whose queue work goes to.
bool says_more(const cluster::QueueFlags& flags) {
  const cluster::QueueFlags usual;
  return !flags.needs.empty() || !flags.lease.empty() || !flags.queue_bytes.empty() ||
         !flags.dead_bytes.empty() || !flags.dead_age.empty() || flags.tries != usual.tries ||
         flags.replicas != usual.replicas;
}

}  // namespace

struct MapCluster::Flags {
  cluster::ClusterFlags cluster;
  cluster::QueueFlags queue;
  std::string metrics;
};

MapCluster::MapCluster() : flags_(std::make_shared<Flags>()) {}

void MapCluster::add_options(Subcommand command) {
  add_flags(command, flag_specs(flags_->cluster,
                                "Run the jobs at the workers of a cluster: "
                                "nats://host:port[,…], tls://…, local, or the master's "
                                "folder of a pool"));
  add_flags(command, flag_specs(flags_->queue));
  add_metrics_option(command, flags_->metrics);
}

bool MapCluster::asked() const { return !flags_->cluster.servers.empty(); }

Result<void> MapCluster::check(const command::JobLoopOptions& options,
                               const command::CommandTemplate& command) const {
  if (asked()) {
    if (auto taken = take_folder(flags_->cluster); !taken) return fail(taken);
    if (auto possible = check_for_cluster(options, command); !possible) return possible;
    const auto queue = queue_options(flags_->queue);
    if (!queue) return fail(queue);
  } else if (!flags_->queue.policy.empty()) {
    return fail(ErrorCode::invalid,
                "--policy: here, a job is started when a slot is free, so none ever waits at one; "
                "it is for --cluster",
                "artel map");
  } else if (says_more(flags_->queue)) {
    return fail(
        ErrorCode::invalid,
        "--needs, --lease, --tries, --replicas, --queue-bytes, --dead-bytes and --dead-age are for "
        "--cluster",
        "artel map");
  } else if (!flags_->metrics.empty()) {
    return fail(ErrorCode::invalid, "--metrics: they are those of a --cluster", "artel map");
  }
  return {};
}

Result<command::RunSummary> MapCluster::run(const command::CommandTemplate& command,
                                            command::InputItems& items,
                                            const command::JobLoopOptions& options) const {
  const auto queue = queue_options(flags_->queue);
  if (!queue) return fail(queue);
  return run_on_cluster(command, items, options, flags_->cluster, *queue, flags_->metrics);
}

}  // namespace artel::app
