#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/protocol/job_counts.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

namespace detail {
class ChunkFeed;
class ClusterCore;
class ResultJournal;
template <class Grant>
class RunFeed;
}  // namespace detail

class ResumableCluster;

/// Workers on other machines, as an executor: map and reduce run on them as on a pool.
///
///     auto cluster = cluster::Cluster::connect(*cluster::parse_servers("nats://host"));
///     auto thumbs = parallel::map(*cluster, photos, thumbnail);  // ARTEL_TASK(thumbnail, …)
///
/// Whoever maps includes remote_task.hpp as well, with ARTEL_TASK.
///
/// Chunks are cut as workers ask for more; results come straight back; every item has one result,
/// whatever is lost, doubled or late on the way. The caller does not work itself, and what it sees
/// of an exception is RemoteError. At most 4 chunks per place at the workers are out or wait to be
/// handed over in order (MapOptions::workers and window say otherwise).
/// Errors:  of a map: RemoteError (the function threw), pool::TaskError (no worker that knows the
///          task, a chunk that costs every worker its life, too large a payload, cancelled).
/// Cost:    a chunk goes into the queue of the server and from there to a worker, its result
///          straight back.
/// Threads: any thread may map, several at once. Moving and destroying are for when none does.
class Cluster {
 public:
  /// What parallel::Executor asks for: kLocal, kChunkTime, kChunkBytes, width(), start(), ended().
  static constexpr bool kLocal = false;
  static constexpr Duration kChunkTime = std::chrono::milliseconds(10);
  /// Of items or results: a quarter of what a server takes in one message unless told otherwise.
  static constexpr std::size_t kChunkBytes = std::size_t{1} << 18U;

  /// `on_problem` hears of what goes wrong later and is being tried again, on any thread: the
  /// connection is lost, the server does not permit something. Maps end with an Error by then if it
  /// lasts (QueueOptions::worker_timeout).
  /// Errors: as Connection::connect() and check(); unsupported: the server has no JetStream.
  [[nodiscard]] static Result<Cluster> connect(const ClusterOptions& options,
                                               const QueueOptions& queue = {},
                                               std::function<void(const Error&)> on_problem = {});
  Cluster(Cluster&&) noexcept;
  Cluster& operator=(Cluster&&) noexcept;
  /// Ends all maps.
  ~Cluster();

  /// Who is there now, by id.
  [[nodiscard]] std::vector<WorkerReport> workers() const;
  /// The same workers, for one map or reduce that can be gone on with if this process dies: the
  /// journal keeps every result, and a map over the same items with the same task and the same
  /// MapOptions::chunk (a number: automatic chunks are never the same) takes from it what is there.
  /// Use it for one map at a time; delete the file when the results are safe.
  /// Errors:  io; parse: another kind of file; full: another process has it open; the connection's.
  [[nodiscard]] Result<ResumableCluster> resumable(const std::string& journal);

  /// Of all maps so far.
  [[nodiscard]] JobCounts counts() const;
  /// What a person should know of what was found at connect: settings of the pool's queue that are
  /// not as asked for; what the server's version means. To have them, remove the pool
  /// (remove_pool.hpp).
  [[nodiscard]] const std::vector<std::string>& remarks() const;

  // ---- For parallel::ExecutorTraits

  [[nodiscard]] std::size_t width() const;

  template <class Grant>
  bool start(Grant grant) {
    offer(std::move(grant), nullptr);
    return true;
  }
  void ended(const void* run);

 private:
  friend class ResumableCluster;

  explicit Cluster(std::unique_ptr<detail::ClusterCore> core);

  template <class Grant>
  void offer(Grant grant, const std::shared_ptr<detail::ResultJournal>& journal) {
    if constexpr (requires { typename Grant::Chunk; }) {
      using Feed = detail::RunFeed<Grant>;
      static_assert(requires { sizeof(Feed); }, "include artel/cluster/remote_task.hpp as well");
      feed(
          grant.run_id(), [] { return std::make_unique<Feed>(); },
          [&](detail::ChunkFeed& chunks) {
            static_cast<Feed&>(chunks).add(std::move(grant));  // a run has one type
          },
          journal);
    }
  }
  // `add` puts more into the feed of this run, which `make` makes when the run is new.
  void feed(const void* run, const std::function<std::unique_ptr<detail::ChunkFeed>()>& make,
            const std::function<void(detail::ChunkFeed&)>& add,
            const std::shared_ptr<detail::ResultJournal>& journal);

  std::unique_ptr<detail::ClusterCore> core_;
};

/// A Cluster with a journal of results: Cluster::resumable(). Not longer, and Threads: as that.
/// Cost: as that, and a write to the journal per chunk; a chunk that is there is read, not sent.
class ResumableCluster {
 public:
  /// What parallel::Executor asks for: kLocal, kChunkTime, kChunkBytes, width(), start(), ended().
  static constexpr bool kLocal = false;
  static constexpr Duration kChunkTime = Cluster::kChunkTime;
  static constexpr std::size_t kChunkBytes = Cluster::kChunkBytes;

  /// Chunks whose results are in the journal.
  [[nodiscard]] std::size_t chunks_kept() const;

  [[nodiscard]] std::size_t width() const { return cluster_->width(); }
  template <class Grant>
  bool start(Grant grant) {
    cluster_->offer(std::move(grant), journal_);
    return true;
  }
  void ended(const void* run) { cluster_->ended(run); }

 private:
  friend class Cluster;

  ResumableCluster(Cluster& cluster, std::shared_ptr<detail::ResultJournal> journal)
      : cluster_(&cluster), journal_(std::move(journal)) {}

  Cluster* cluster_;
  std::shared_ptr<detail::ResultJournal> journal_;
};

}  // namespace artel::cluster
