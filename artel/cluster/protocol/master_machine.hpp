#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/detail/master_job.hpp"
#include "artel/cluster/protocol/detail/roster.hpp"
#include "artel/cluster/protocol/detail/worker_queues.hpp"
#include "artel/cluster/protocol/job_counts.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

/// Whatever a master decides: how many chunks are out and where they go, which are looked for, sent
/// again or given up, and what of them the server is to forget. A state machine: the same events at
/// the same times give the same actions.
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

  /// Requires: times do not go back.
  [[nodiscard]] MasterActions step(MasterEvent event, Instant now);
  /// How long between two ticks at most.
  [[nodiscard]] Duration tick_every() const;

  /// The newest report of each that is alive.
  [[nodiscard]] std::vector<WorkerReport> workers() const { return roster_.workers(); }
  /// Chunks that the workers have in hand at most, together.
  [[nodiscard]] std::size_t credit() const;
  /// Of all jobs so far.
  [[nodiscard]] JobCounts counts() const;
  /// Chunks that are out, of all jobs.
  [[nodiscard]] std::size_t out() const;
  /// Places that chunks have in the workers' own queues; 0 without a policy.
  [[nodiscard]] std::size_t placed() const { return own_ ? own_->placed() : 0; }

 private:
  void on(const JobBegun& event);
  void on(const JobEnded& event);
  void on(const SourceGrew& event);
  void on(const SourceEmpty& event);
  void on(ChunkTaken& event);
  void on(const ChunkStored& event);
  void on(const ChunkNotStored& event);
  void on(const ChunkTooLarge& event);
  void on(const BeaconStored& event);
  void on(const ChunkFound& event);
  void on(const MessageGivenUp& event);
  void on(const MessageRead& event);
  void on(const JobSwept& event);
  void on(const OwnQueueMade& event);
  void on(const MasterDisconnected& event);
  void on(const MasterReconnected& event);
  void on(const TroubleCame& event);
  void on(ResultCame& event);
  void on(ReportCame& event);
  void on(const BeaconAnswered& event);
  void on(const MasterTick& event);

  void act(MasterAction action) { actions_.push_back(std::move(action)); }
  [[nodiscard]] detail::MasterJob* find(const std::string& job);
  [[nodiscard]] const detail::WorkersView& view_of(detail::MasterJob& job) const;

  // ---- Sending
  void ask_for_more(detail::MasterJob& job);
  void send(detail::MasterJob& job, std::shared_ptr<const ChunkOrder> order);
  void begin_queue(detail::MasterJob& job, const ChunkOrder& order);
  void send_copy(detail::MasterJob& job, std::uint64_t index, std::uint32_t epoch);
  void reissue(detail::MasterJob& job, std::uint64_t index);

  // ---- How chunks end
  enum class Acknowledged : std::uint8_t { no, yes };  // by the worker that has done it
  bool take_off(detail::MasterJob& job, std::uint64_t index, Acknowledged acknowledged);
  void erase_copies(detail::OutstandingChunks::Chunk& chunk);
  void refused(detail::MasterJob& job, const ChunkResult& result);
  void fail(detail::MasterJob& job, std::uint64_t index, Error error);
  void fail_all(detail::MasterJob& job, const Error& error);

  // ---- Looking after what is out
  void asked(detail::MasterJob& job) const;
  static void answered(detail::MasterJob& job) { job.unanswered_since.reset(); }
  void did_not_run(Duration time);
  void does_not_count(detail::MasterJob& job, Duration time) const;
  void watch(detail::MasterJob& job, Duration passed);
  void probe(detail::MasterJob& job);
  void look_for(detail::MasterJob& job, std::uint64_t index);
  [[nodiscard]] bool is_passed_over(const detail::MasterJob& job, const ChunkFound& found) const;
  [[nodiscard]] bool is_ahead(const detail::MasterJob& job, const ChunkFound& found) const;
  void make_anew(const detail::MasterJob& job, const detail::OutstandingChunks::Chunk& chunk);
  void check_connection(detail::MasterJob& job, const MasterDisconnected& lost);
  void check_workers(detail::MasterJob& job);
  void check_progress(detail::MasterJob& job, Duration passed);
  [[nodiscard]] bool end_if_unanswered(detail::MasterJob& job);
  [[nodiscard]] std::string with_trouble(std::string what, Instant since) const;
  void next_suspect(detail::MasterJob& job);
  void sweep();
  void speculate(detail::MasterJob& job);
  [[nodiscard]] bool may_be_dropped(const std::string& worker) const;

  // ---- Workers
  void workers_changed();
  void call_queues();
  void tend_own_queues();
  void worker_left(const std::string& worker, const WorkerReport* last);

  const Options options_;
  Instant now_{};
  MasterActions actions_;  // of this step

  detail::Roster roster_;
  std::map<std::string, detail::MasterJob> jobs_;
  std::map<std::string, Instant> to_sweep_;  // jobs that have ended; when it is tried again
  JobCounts ended_;                          // of jobs that are gone
  bool call_due_ = false;  // somebody does not pull from a queue that is for him, too
  std::optional<MasterDisconnected> disconnected_;  // nothing: there is a connection
  Instant disconnected_at_{};
  std::optional<Instant> ticked_{};     // the last time
  std::optional<TroubleCame> trouble_;  // the last
  Instant trouble_at_{};
  Instant trouble_told_{};  // the last time that one of its kind was

  std::unique_ptr<detail::WorkerQueues> own_;    // null without a policy
  std::set<std::string> being_made_;             // own queues
  std::map<std::string, StoredNumber> beacons_;  // the last of each worker, that the server keeps
  bool own_lost_ = false;                        // own queues may not be there any more
};

}  // namespace artel::cluster
