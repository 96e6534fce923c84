#include "artel/cluster/cluster.hpp"

#include <tl/expected.hpp>
#include <utility>

#include "artel/cluster/cluster_core.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/queue_options.hpp"
#include "artel/error/error.hpp"

namespace artel::cluster {

Result<Cluster> Cluster::connect(const ClusterOptions& options, const QueueOptions& queue) {
  auto core = ClusterCore::connect(options, queue);
  if (!core) return fail(core);
  return Cluster(std::move(*core));
}

}  // namespace artel::cluster
