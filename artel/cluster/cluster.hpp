#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/detail/cluster_core.hpp"
#include "artel/cluster/detail/remote_job.hpp"
#include "artel/cluster/detail/result_journal.hpp"
#include "artel/cluster/detail/work_grant_feed.hpp"
#include "artel/cluster/protocol.hpp"
#include "artel/cluster/queue_options.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

class ResumableCluster;

/// Workers on other machines, as an executor: map and reduce run on them as on a pool.
///
///     auto cluster = cluster::Cluster::connect(*cluster::parse_servers("nats://host"));
///     auto thumbs = parallel::map(*cluster, photos, thumbnail);  // ARTEL_TASK(thumbnail, …)
///
/// Chunks are cut as workers ask for more; results come straight back; every item has one result,
/// whatever is lost, doubled or late on the way. The caller does not work itself, and what it sees
/// of an exception is RemoteError. At most 4 chunks per place at the workers are out or wait to be
/// handed over in order (MapOptions::workers and window say otherwise).
/// Errors:  of a map: RemoteError (the function threw), pool::TaskError (no worker that knows the
///          task, a chunk that costs every worker its life, too large a payload, cancelled).
/// Threads: any thread may map, several at once. Moving and destroying are for when none does.
class Cluster {
 public:
  static constexpr bool kLocal = false;
  static constexpr Duration kChunkTime = std::chrono::milliseconds(10);
  /// Of items or results: a quarter of what a server takes in one message unless told otherwise.
  static constexpr std::size_t kChunkBytes = std::size_t{1} << 18U;

  /// Errors: as Connection::connect() and check(); unsupported: the server has no JetStream.
  [[nodiscard]] static Result<Cluster> connect(const ClusterOptions& options,
                                               const QueueOptions& queue = {});

  /// Who is there now, by id.
  [[nodiscard]] std::vector<WorkerReport> workers() const { return core_->workers(); }
  /// The same workers, for one map or reduce that can be gone on with if this process dies: the
  /// journal keeps every result, and a map over the same items with the same task and the same
  /// MapOptions::chunk (a number: automatic chunks are never the same) takes from it what is there.
  /// Use it for one map at a time; delete the file when the results are safe.
  /// Errors:  as ResultJournal::open(); the connection's.
  [[nodiscard]] Result<ResumableCluster> resumable(const std::filesystem::path& journal);

  /// Of all maps so far.
  [[nodiscard]] detail::RemoteJob::Counts counts() const { return core_->counts(); }

  // ---- For parallel::ExecutorTraits

  [[nodiscard]] std::size_t width() const { return core_->width(); }

  template <class WorkGrant>
  bool start(WorkGrant grant) {
    return start(std::move(grant), nullptr);
  }
  template <class WorkGrant>
  bool start(WorkGrant grant, const std::shared_ptr<detail::ResultJournal>& journal) {
    if constexpr (requires { typename WorkGrant::Chunk; }) {
      using Feed = detail::WorkGrantFeed<WorkGrant>;
      const auto job =
          core_->job_of(grant.run_id(), [] { return std::make_unique<Feed>(); }, journal);
      static_cast<Feed&>(job->feed()).add(std::move(grant));  // a run has one type
      job->poke();
    }
    return true;
  }
  void ended(const void* run) { core_->ended(run); }

 private:
  explicit Cluster(std::unique_ptr<detail::ClusterCore> core) : core_(std::move(core)) {}

  std::unique_ptr<detail::ClusterCore> core_;
};

/// A cluster whose results are kept in a journal. See Cluster::resumable(); not longer than that.
class ResumableCluster {
 public:
  static constexpr bool kLocal = false;
  static constexpr Duration kChunkTime = Cluster::kChunkTime;
  static constexpr std::size_t kChunkBytes = Cluster::kChunkBytes;

  ResumableCluster(Cluster& cluster, std::shared_ptr<detail::ResultJournal> journal)
      : cluster_(&cluster), journal_(std::move(journal)) {}

  [[nodiscard]] const detail::ResultJournal& journal() const { return *journal_; }

  [[nodiscard]] std::size_t width() const { return cluster_->width(); }
  template <class WorkGrant>
  bool start(WorkGrant grant) {
    return cluster_->start(std::move(grant), journal_);
  }
  void ended(const void* run) { cluster_->ended(run); }

 private:
  Cluster* cluster_;
  std::shared_ptr<detail::ResultJournal> journal_;
};

}  // namespace artel::cluster
