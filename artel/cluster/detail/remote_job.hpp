#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "artel/cluster/chunk_order.hpp"
#include "artel/cluster/chunk_result.hpp"
#include "artel/cluster/detail/chunk_feed.hpp"
#include "artel/cluster/detail/jetstream_queue.hpp"
#include "artel/cluster/detail/outstanding_chunks.hpp"
#include "artel/cluster/detail/result_journal.hpp"
#include "artel/cluster/detail/sent_chunks.hpp"
#include "artel/cluster/detail/suspect_trials.hpp"
#include "artel/cluster/detail/worker_queues.hpp"
#include "artel/cluster/job_counts.hpp"
#include "artel/cluster/queue_options.hpp"
#include "artel/cluster/task_key.hpp"
#include "artel/cluster/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/stat/smoothed_time.hpp"

namespace artel::cluster::detail {

/// What a job knows of the workers.
struct WorkersView {
  std::size_t credit = 0;   ///< chunks that those who know the job's tasks have in hand at most
  std::size_t out_max = 0;  ///< chunks that are to be out at most, so that nobody runs out
  bool anybody = false;     ///< whether there is any worker
  Result<void> known{};     ///< whether one of them knows the tasks; else what to say
};

/// One map or reduce on its way through the cluster.
///
/// A thread of its own takes chunks from the feed as soon as there is room at the workers, and
/// sends them; the cluster's threads bring results and news. As many chunks are out as workers have
/// in hand, and as many again (of the shortest: more), so that the next one is there when a worker
/// asks.
/// With queues of the workers' own, chunks go there as far as there is room. What its worker cannot
/// do, or has lost, what is issued again and what nobody has room for goes to the shared queue,
/// from which all workers pull as well. Threads: all members are safe from any thread; end() is for
/// one that is not inside the feed.
class RemoteJob {
 public:
  struct Host {
    const JetStreamQueue& queue;
    std::string reply;  ///< where results are wanted
    QueueOptions options;
    std::function<WorkersView(const std::vector<TaskKey>&)> workers;
    WorkerQueues* own = nullptr;               ///< the workers' own queues; null: there are none
    std::shared_ptr<ResultJournal> journal{};  ///< where results are kept as well; may be null
  };

  RemoteJob(Host host, std::string id, std::unique_ptr<ChunkFeed> feed);
  RemoteJob(const RemoteJob&) = delete;
  RemoteJob& operator=(const RemoteJob&) = delete;
  ~RemoteJob();

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] ChunkFeed& feed() { return *feed_; }
  [[nodiscard]] JobCounts counts() const;

  /// There may be more chunks.
  void poke();
  /// Workers came or went, or have another credit.
  void workers_changed();
  void result_came(const ChunkResult& result);
  /// No other result follows at once: whoever waits for them is told.
  void results_came();
  /// What this worker has in hand.
  void worker_reported(const WorkerReport& report);
  void not_sent(std::uint64_t index);
  /// This chunk was in the queue of a worker that is gone or leaves.
  /// Working: the worker is at it and will finish it.
  void worker_left(std::uint64_t index, bool working);
  /// Messages may have been lost.
  void doubt();
  /// The server has given up this copy of a chunk, that it keeps under this number.
  void given_up(const ChunkOrder& order, std::uint64_t sequence);
  /// Looks for chunks that have been out for long. Now and then; asks the server.
  void tick(Instant now);

  /// Nobody wants the results any more. Returns when no thread is inside the feed.
  void end();

 private:
  void pump();
  void wake_pump();
  [[nodiscard]] std::string place(const ChunkOrder& order);
  bool resume(const ChunkOrder& order, std::uint64_t print);
  void send(ChunkOrder order);
  void send_copy(std::uint64_t index, std::uint32_t epoch);
  void look_for(std::uint64_t index);
  void reissue(std::uint64_t index);
  void speculate(Instant now);
  void purge_copies();
  void next_suspect(Instant now);
  void check_workers(Instant now);
  void fail(std::uint64_t index, std::exception_ptr error);
  void give_up(std::uint64_t index, std::uint32_t attempts, std::exception_ptr error);
  [[nodiscard]] std::size_t out_most();
  [[nodiscard]] bool may_send() { return !trials_.under_way() && outstanding_.out() < out_most(); }
  bool take_off(std::uint64_t index, Instant now);

  const Host host_;
  const std::string id_;
  const std::unique_ptr<ChunkFeed> feed_;

  mutable std::mutex lock_;  // guards all below; not held while the feed or the server is called
  std::condition_variable changed_;
  bool poked_ = false;
  bool ended_ = false;
  OutstandingChunks outstanding_;
  JobCounts counts_;
  std::vector<TaskKey> tasks_;          // that its chunks need; empty: none was taken yet
  std::optional<std::size_t> out_max_;  // its WorkersView::out_max; nothing: that may have changed
  SentChunks sent_;
  std::vector<std::uint64_t> to_purge_;  // chunks with a result, of which copies may wait
  SuspectTrials trials_;
  std::optional<Instant> deserted_since_;  // no worker could do it
  stat::SmoothedTime item_time_;           // of an item, as workers say

  std::thread pump_;
};

}  // namespace artel::cluster::detail
