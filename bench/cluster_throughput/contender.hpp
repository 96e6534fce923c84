#pragma once

#include <cstddef>
#include <string>

#include "artel/cluster/cluster_options.hpp"
#include "bench/cluster_throughput/workload.hpp"

namespace artel::bench {

/// artel's master: a map over the cluster, results as they come. `chunk`: tasks in a message, 0 for
/// as many as it sees fit.
[[nodiscard]] ClusterRun artel_master(const cluster::ClusterOptions& options,
                                      const ClusterWorkload& workload, std::size_t chunk);

/// artel's worker, of one thread, as cluster::serve() makes it of a process; the token is in
/// $ARTEL_CLUSTER_TOKEN. Until the process is ended.
[[nodiscard]] int artel_worker(const std::string& server);

}  // namespace artel::bench
