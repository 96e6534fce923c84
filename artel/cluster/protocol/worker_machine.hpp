#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/protocol/beacon_request.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/detail/chunk_pull.hpp"
#include "artel/cluster/protocol/detail/chunks_ahead.hpp"
#include "artel/cluster/protocol/queue_call.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_action.hpp"
#include "artel/cluster/protocol/worker_event.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

/// Whatever a worker decides: when it asks for chunks and for how many, whose leases it renews,
/// what it tells the server of each, when it reports, how it leaves. A state machine: the same
/// events at the same times give the same actions.
///
///  V1  What was delivered is leased until the server is told what became of it, once.
///  V2  A lease is renewed every third of its time.
///  V3  It asks a queue for no more than it has room for, by its threads and ChunksAhead; of its own
///      queue, which its masters do not overfill, for all that is there.
///  V4  After DrainWanted it asks for nothing more, and hands back what has not begun when nothing is
///      to come. WorkerLeft comes once, with nothing leased.
/// Cost: a step O(log of the chunks in hand, plus the queues); a renewal looks at all in hand.
/// Threads: one at a time; no clock, no network: `now` comes from outside.
class WorkerMachine {
 public:
  /// What it is told at the start.
  struct Options {
    std::string id;                ///< WorkerReport::worker
    std::string host{};            ///< WorkerReport::host
    std::int64_t pid = 0;          ///< WorkerReport::pid
    unsigned threads = 1;          ///< chunks that run at once
    Duration report_every{};       ///< how often WorkerReports are sent
    Duration retry_delay{};        ///< a chunk whose function threw waits so long for its next try
    std::vector<TaskKey> tasks{};  ///< that it knows
    QueueName own_queue{};         ///< the name of the one that is for it alone
    std::string inbox{};           ///< answers to requests come below it
    bool signed_only = false;      ///< does nothing for masters who do not sign
  };

  WorkerMachine(Options options, Instant now);

  /// Requires: times do not go back.
  [[nodiscard]] WorkerActions step(const WorkerEvent& event, Instant now);
  /// When the next WorkerTick is wanted.
  [[nodiscard]] Instant wake_at() const;

  /// What it tells masters of itself at that time.
  [[nodiscard]] WorkerReport report(Instant now) const;
  /// Chunks that it has leased.
  [[nodiscard]] std::size_t leased() const { return leases_.size(); }
  /// A lease shorter than that is not believed: it would be renewed all the time.
  static constexpr Duration kLeaseMin = std::chrono::milliseconds(100);
  /// A queue that has not been there for so long is nobody's any more, until it is called again.
  static constexpr Duration kMissedMax = std::chrono::seconds(10);

 private:
  // A queue that it pulls from.
  struct Source {
    detail::ChunkPull pull;
    Instant look_at{};                // for the queue, if it is not there
    std::optional<Instant> missed{};  // since when it is not there
    bool there = false;
  };
  struct ChunkLease {
    std::shared_ptr<const ChunkOrder> order;  // null: a beacon
    BeaconRequest beacon{};
    std::uint32_t delivery = 1;
    std::string ack{};
    std::optional<Instant> begun{};
    Instant renew_at = kNever;
    bool told = false;  // the server knows
  };

  void on(const ChunkCame& event);
  void on(const UnreadableCame& event);
  void on(const BeaconCame& event);
  void on(const PullEnded& event);
  void on(const QueueLookedUp& event);
  void on(const Discovered& event);
  void on(const QueueCalled& event);
  void on(const ForgedCame& event);
  void on(const ThreadReady& event);
  void on(const NotPosted& event);
  void on(const ChunkWorked& event);
  void on(const WorkerReconnected& event);
  void on(const DrainWanted& event);
  void on(const EndWanted& event);
  void on(const WorkerTick& event);

  void act(WorkerAction action) { actions_.push_back(std::move(action)); }
  [[nodiscard]] bool may_pull(const QueueCall& call) const;
  [[nodiscard]] std::size_t room(const QueueName& queue) const;
  void chunk_came(const QueueName& queue);
  void ask(const QueueName& queue, Source& from);
  void tend_sources();
  void tell(ChunkLease& lease, std::string word);
  void hand_back(ChunkLease& lease, Duration delay = {});
  void renew_leases();
  void send_report(std::string reply);
  [[nodiscard]] bool pulls_open() const;
  void hand_back_what_waits();
  void leave_if_done();

  const Options options_;
  const Instant begun_;
  Instant now_;
  WorkerActions actions_;  // of this step

  std::map<QueueName, Source> sources_;
  std::map<LeaseId, ChunkLease> leases_;
  LeaseId last_lease_ = 0;
  Instant next_renewal_ = kNever;
  WorkerReport counts_;  // done, failed, refused, returned, forged, busy
  detail::ChunksAhead ahead_;
  Instant told_;  // the last report
  Instant next_report_;
  bool draining_ = false;
  bool left_ = false;
};

}  // namespace artel::cluster
