#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
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
#include "artel/cluster/detail/chunk_pump.hpp"
#include "artel/cluster/detail/connection_news.hpp"
#include "artel/cluster/detail/jetstream_queue.hpp"
#include "artel/cluster/detail/result_journal.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/protocol/job_counts.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/master_machine.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/tell_problem.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {

/// What a Cluster is made of: a MasterMachine, and what brings it events and does what it wants:
/// the connection, the sources of its jobs, a thread for the time and one for what takes long.
///
/// Threads: all members are safe from any thread.
class ClusterCore {
 public:
  /// `on_problem` hears of what goes wrong and is being tried again; on any thread.
  [[nodiscard]] static Result<std::unique_ptr<ClusterCore>> connect(
      const ClusterOptions& options, const QueueOptions& queue,
      std::function<void(const Error&)> on_problem);
  ClusterCore(const ClusterCore&) = delete;
  ClusterCore& operator=(const ClusterCore&) = delete;
  /// Ends all jobs.
  ~ClusterCore();

  /// Lets `add` give more to the feed of this run, which `make` makes when the run is new.
  void feed(const void* run, const std::function<std::unique_ptr<ChunkFeed>()>& make,
            const std::function<void(ChunkFeed&)>& add,
            const std::shared_ptr<ResultJournal>& journal);
  void ended(const void* run);
  /// Removes what is left at the server of jobs whose master has died.
  [[nodiscard]] Result<void> sweep_jobs(const std::vector<std::string>& jobs) const;

  [[nodiscard]] std::size_t width() const;
  [[nodiscard]] std::vector<WorkerReport> workers() const;
  /// Of all jobs so far.
  [[nodiscard]] JobCounts counts() const;
  /// Found when it connected.
  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  struct PumpedJob {
    std::shared_ptr<ChunkPump> pump;
    ChunkFeed* source = nullptr;  // what the pump takes from, or what that keeps a journal of
  };

  ClusterCore(std::shared_ptr<ConnectionNews> news, Connection connection, Subjects subjects,
              const QueueOptions& options, std::function<void(const Error&)> on_problem);
  [[nodiscard]] Result<void> begin();
  void result_came(std::string_view sealed);
  void results_came();
  void report_came(const Message& message);
  void watch();
  void run_chores();
  void do_last_chores();

  void step(MasterEvent event);
  void perform(FinishChunk& action);
  void perform(FailChunk& action);
  void perform(GiveUpChunk& action);
  void perform(TakeChunks& action);
  void perform(SendChunk& action);
  void perform(LookUpChunk& action);
  void perform(EraseMessage& action);
  void perform(SendBeacon& action);
  void perform(TellProblem& action);
  // What takes long is for a thread of its own: the time must not stand still meanwhile.
  template <class Chore>
  void perform(Chore& chore);
  [[nodiscard]] std::deque<MasterAction> take_chores();
  void do_chore(const MakeQueue& chore);
  void do_chore(const CallQueue& chore);
  void do_chore(const MakeOwnQueue& chore);
  void do_chore(const DropOwnQueue& chore);
  void do_chore(const SweepJob& chore);
  void do_chore(const ReadMessage& chore);
  void do_chore(const BuryLetter& chore);
  template <class Other>
  void do_chore(const Other& /*not a chore*/) {}

  [[nodiscard]] PumpedJob begin_job(std::unique_ptr<ChunkFeed> feed,
                                    const std::shared_ptr<ResultJournal>& journal);
  [[nodiscard]] std::shared_ptr<ChunkPump> pump_of(const std::string& job) const;
  void end_job(const PumpedJob& job);

  const std::shared_ptr<ConnectionNews> news_;
  const Connection connection_;
  const Subjects subjects_;
  const QueueOptions options_;
  const std::function<void(const Error&)> on_problem_;
  const std::string beacon_inbox_;  // for the answers to beacons
  const std::string jobs_prefix_;
  std::vector<std::string> remarks_;

  mutable std::mutex master_lock_;  // nothing else is locked meanwhile
  std::unique_ptr<MasterMachine> master_;

  mutable std::mutex lock_;  // guards down to stopping_
  std::condition_variable changed_;
  std::map<const void*, PumpedJob> jobs_;
  std::uint64_t jobs_begun_ = 0;
  std::deque<MasterAction> chores_;
  bool stopping_ = false;

  std::atomic<std::uint64_t> resumed_ = 0;                // chunks, from journals
  std::atomic<std::uint64_t> forged_ = 0;                 // results and reports
  std::vector<std::shared_ptr<ChunkPump>> with_results_;  // of the thread that brings results

  std::unique_ptr<JetStreamQueue> queue_;
  std::vector<Subscription> subscriptions_;
  std::thread watch_;  // the time
  std::thread chore_thread_;
};

}  // namespace artel::cluster::detail
