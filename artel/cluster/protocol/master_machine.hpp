#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "artel/cluster/protocol/detail/master_job.hpp"
#include "artel/cluster/protocol/detail/master_shared.hpp"
#include "artel/cluster/protocol/job_counts.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

/// Whatever a master decides: how many chunks are out and where they go, which are looked for, sent
/// again or given up, and what of them the server is to forget. A state machine: the same events at
/// the same times give the same actions. Each job decides for itself (detail::MasterJob); here is
/// what concerns all: who is there, the connection, and jobs that have ended.
///
///  M1  Every chunk taken ends once: FinishChunk, FailChunk or GiveUpChunk, or its job ends.
///  M2  A chunk that is out is looked for when nobody has mentioned it for `patience`, always.
///  M3  No more chunks are out, held back or asked for than workers can use (WorkersView::out_max).
///  M4  Of a chunk that has ended, whatever copy the server told of is erased, unless a worker has
///      acknowledged it.
///  M5  A job whose chunks nobody can do, whose queue says or gives nothing, or whose server is gone,
///      ends with the reason, in bounded time whatever else happens: only an answer of the queue
///      ends its silence; no report, result or connection that is there again does.
/// Cost: a step O(log of the chunks that are out); a MasterTick looks at all of them and at all
///       workers.
/// Threads: one at a time; no clock, no network: `now` comes from outside.
class MasterMachine {
 public:
  /// What it is told at the start.
  struct Options {
    QueueOptions queue;      ///< checked
    std::string reply;       ///< where results are wanted
    std::uint64_t seed = 0;  ///< of the dice of a dispatch policy
    bool signs = false;      ///< its orders
  };

  explicit MasterMachine(Options options);
  MasterMachine(const MasterMachine&) = delete;
  MasterMachine& operator=(const MasterMachine&) = delete;

  /// Requires: times do not go back.
  [[nodiscard]] MasterActions step(MasterEvent event, Instant now);
  /// How long between two ticks at most.
  [[nodiscard]] Duration tick_every() const;

  /// The newest report of each that is alive.
  [[nodiscard]] std::vector<WorkerReport> workers() const { return shared_.roster.workers(); }
  /// Chunks that the workers have in hand at most, together.
  [[nodiscard]] std::size_t credit() const;
  /// Of all jobs so far.
  [[nodiscard]] JobCounts counts() const;
  /// Chunks that are out, of all jobs.
  [[nodiscard]] std::size_t out() const;
  /// Places that chunks have in the workers' own queues; 0 without a policy.
  [[nodiscard]] std::size_t placed() const {
    return shared_.own ? shared_.own->places().placed() : 0;
  }

 private:
  void on(const JobBegun& event);
  void on(const JobEnded& event);
  void on(const SourceGrew& event) { pass_on(event.job, event); }
  void on(const SourceEmpty& event) { pass_on(event.job, event); }
  void on(ChunkTaken& event) { pass_on(event.order->job, event); }
  void on(const ChunkStored& event);
  void on(const ChunkNotStored& event) { pass_on(event.chunk.job, event); }
  void on(const ChunkTooLarge& event) { pass_on(event.chunk.job, event); }
  void on(const BeaconStored& event);
  void on(const ChunkFound& event) { pass_on(event.chunk.job, event); }
  void on(const MessageGivenUp& event);
  void on(const MessageRead& event);
  void on(const JobSwept& event);
  void on(const OwnQueueMade& event);
  void on(const MasterDisconnected& event);
  void on(const MasterReconnected& event);
  void on(const TroubleCame& event);
  void on(ResultCame& event) { pass_on(event.result.job, event); }
  void on(ReportCame& event);
  void on(const BeaconAnswered& event);
  void on(const MasterTick& event);

  [[nodiscard]] detail::MasterJob* find(const std::string& job);
  // Of one that is over, nothing counts any more.
  template <class Event>
  void pass_on(const std::string& job, Event& event) {
    if (detail::MasterJob* const at = find(job)) at->on(event);
  }
  void workers_changed();
  void sweep();

  detail::MasterShared shared_;
  std::map<std::string, detail::MasterJob> jobs_;
  std::map<std::string, Instant> to_sweep_;  // jobs that have ended; when it is tried again
  JobCounts ended_;                          // of jobs that are gone
  bool call_due_ = false;            // somebody does not pull from a queue that is for him, too
  std::optional<Instant> ticked_{};  // the last time
};

}  // namespace artel::cluster
