#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/chunk_feed.hpp"
#include "artel/cluster/detail/jetstream_queue.hpp"
#include "artel/cluster/detail/remote_job.hpp"
#include "artel/cluster/detail/result_journal.hpp"
#include "artel/cluster/detail/roster.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/detail/worker_queues.hpp"
#include "artel/cluster/job_counts.hpp"
#include "artel/cluster/queue_options.hpp"
#include "artel/cluster/subjects.hpp"
#include "artel/cluster/task_key.hpp"
#include "artel/cluster/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

/// What a Cluster is made of: its connection, the workers it knows of, its jobs, and a thread that
/// looks after them.
///
/// Threads: all members are safe from any thread.
class ClusterCore {
 public:
  [[nodiscard]] static Result<std::unique_ptr<ClusterCore>> connect(const ClusterOptions& options,
                                                                    const QueueOptions& queue);
  ClusterCore(const ClusterCore&) = delete;
  ClusterCore& operator=(const ClusterCore&) = delete;
  /// Ends all jobs.
  ~ClusterCore();

  /// The job of this run of map or reduce, which begins with a feed of `make()` if it is new.
  [[nodiscard]] std::shared_ptr<RemoteJob> job_of(
      const void* run, const std::function<std::unique_ptr<ChunkFeed>()>& make,
      const std::shared_ptr<ResultJournal>& journal);
  /// Removes what is left at the server of jobs whose master has died.
  [[nodiscard]] Result<void> purge_jobs(const std::vector<std::string>& jobs) const;
  void ended(const void* run);

  [[nodiscard]] std::size_t width() const;
  [[nodiscard]] std::vector<WorkerReport> workers() const;
  /// Of all jobs so far.
  [[nodiscard]] JobCounts counts() const;

  [[nodiscard]] const Connection& connection() const { return connection_; }
  [[nodiscard]] const Subjects& subjects() const { return subjects_; }

 private:
  struct Signals {
    std::atomic<bool> restored = false;
  };

  ClusterCore(std::shared_ptr<Signals> signals, Connection connection, Subjects subjects,
              QueueOptions options);
  [[nodiscard]] Result<void> begin();
  [[nodiscard]] Result<void> discover();
  void tend_own_queues(bool restored);
  void worker_left(const std::string& worker, const WorkerReport* last);
  void result_came(const Message& message);
  void results_came();
  void report_came(const Message& message);
  void run();
  void handle_given_up();
  [[nodiscard]] std::shared_ptr<RemoteJob> job_by_id(std::string_view id) const;
  [[nodiscard]] std::vector<std::shared_ptr<RemoteJob>> jobs() const;
  [[nodiscard]] WorkersView view_of(const std::vector<TaskKey>& tasks) const;

  const std::shared_ptr<Signals> signals_;
  const Connection connection_;
  const Subjects subjects_;
  const QueueOptions options_;
  const std::string beacon_inbox_;  // for the answers to beacons

  const std::unique_ptr<WorkerQueues> own_;  // null without a policy

  mutable std::mutex roster_lock_;
  Roster roster_;

  mutable std::mutex lock_;  // guards down to stopping_; taken before those of jobs, never inside
  std::condition_variable changed_;
  std::map<const void*, std::shared_ptr<RemoteJob>> jobs_;
  std::vector<std::uint64_t> given_up_;  // messages, to be dealt with
  JobCounts ended_;                      // of jobs that are gone
  std::uint64_t jobs_begun_ = 0;
  std::string jobs_prefix_;
  bool stopping_ = false;

  std::vector<std::shared_ptr<RemoteJob>> with_results_;  // of the thread that brings results

  std::unique_ptr<JetStreamQueue> queue_;
  std::vector<Subscription> subscriptions_;
  std::thread watch_;
};

}  // namespace artel::cluster::detail
