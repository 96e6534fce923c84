#include "artel/cluster/cluster.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/detail/chunk_feed.hpp"
#include "artel/cluster/detail/cluster_core.hpp"
#include "artel/cluster/detail/result_journal.hpp"
#include "artel/cluster/protocol/job_counts.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

Result<Cluster> Cluster::connect(const ClusterOptions& options, const QueueOptions& queue,
                                 std::function<void(const Error&)> on_problem) {
  auto core = detail::ClusterCore::connect(options, queue, std::move(on_problem));
  if (!core) return fail(core);
  return Cluster(std::move(*core));
}

Cluster::Cluster(std::unique_ptr<detail::ClusterCore> core) : core_(std::move(core)) {}
Cluster::Cluster(Cluster&&) noexcept = default;
Cluster& Cluster::operator=(Cluster&&) noexcept = default;
Cluster::~Cluster() = default;

std::vector<WorkerReport> Cluster::workers() const { return core_->workers(); }
JobCounts Cluster::counts() const { return core_->counts(); }
const std::vector<std::string>& Cluster::remarks() const { return core_->remarks(); }
std::size_t Cluster::width() const { return core_->width(); }
void Cluster::ended(const void* run) { core_->ended(run); }

Result<ResumableCluster> Cluster::resumable(const std::string& journal) {
  auto opened = detail::ResultJournal::open(journal);
  if (!opened) return fail(opened);
  if (auto swept = core_->sweep_jobs((*opened)->earlier_jobs()); !swept) return fail(swept);
  return ResumableCluster(*this, std::move(*opened));
}

void Cluster::feed(const void* run, const std::function<std::unique_ptr<detail::ChunkFeed>()>& make,
                   const std::function<void(detail::ChunkFeed&)>& add,
                   const std::shared_ptr<detail::ResultJournal>& journal) {
  core_->feed(run, make, add, journal);
}

std::size_t ResumableCluster::chunks_kept() const { return journal_->size(); }

}  // namespace artel::cluster
