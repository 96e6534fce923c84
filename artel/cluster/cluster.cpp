#include "artel/cluster/cluster.hpp"

#include <filesystem>
#include <tl/expected.hpp>
#include <utility>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/detail/cluster_core.hpp"
#include "artel/cluster/detail/result_journal.hpp"
#include "artel/cluster/queue_options.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

Result<Cluster> Cluster::connect(const ClusterOptions& options, const QueueOptions& queue) {
  auto core = detail::ClusterCore::connect(options, queue);
  if (!core) return fail(core);
  return Cluster(std::move(*core));
}

Result<ResumableCluster> Cluster::resumable(const std::filesystem::path& journal) {
  auto opened = detail::ResultJournal::open(journal);
  if (!opened) return fail(opened);
  if (auto purged = core_->purge_jobs((*opened)->earlier_jobs()); !purged) return fail(purged);
  return ResumableCluster(*this, std::move(*opened));
}

}  // namespace artel::cluster
