#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "artel/cluster/protocol/detail/roster.hpp"
#include "artel/cluster/protocol/detail/worker_queues.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

/// The queues that a master makes at the server for each worker, and the beacons in them.
///
///  1  Every worker that is there and does not drain has a queue, or one is being made for it; when
///     it drains or is gone, its queue is dropped and what was in it goes elsewhere.
///  2  The server keeps one beacon of a worker at most, the last, and none of one without a queue.
/// Threads: one at a time; `now` comes from outside.
class OwnQueues {
 public:
  /// A chunk was in the queue of a worker that is gone; `working`: it drains and finishes this one.
  using Left = std::function<void(const ChunkAddress& chunk, bool working)>;

  /// All references must outlive it.
  OwnQueues(WorkerQueues places, const Roster& roster, MasterActions& actions)
      : places_(std::move(places)), roster_(roster), actions_(actions) {}

  /// Which chunk is at which worker.
  [[nodiscard]] WorkerQueues& places() { return places_; }
  [[nodiscard]] const WorkerQueues& places() const { return places_; }

  /// To be called at every tick.
  void tend(Duration lease, const Left& left, Instant now);
  /// The server may have lost them.
  void doubt() { lost_ = true; }
  /// The server has to forget what it knows of this one.
  void make_anew(const std::string& worker);
  /// Returns whether the worker has its queue now.
  bool made(const OwnQueueMade& event, Instant now);
  void beacon_stored(const BeaconStored& event);
  void beacon_answered(const BeaconAnswered& event, Instant now);

 private:
  void act(MasterAction action) { actions_.push_back(std::move(action)); }
  void make(const std::string& worker);
  void leave(const std::string& worker, const WorkerReport* last, const Left& left, Instant now);

  WorkerQueues places_;
  const Roster& roster_;
  MasterActions& actions_;
  std::set<std::string> being_made_;
  std::map<std::string, StoredNumber> beacons_;  // the last of each worker, that the server keeps
  bool lost_ = false;                            // they may not be there any more
};

}  // namespace artel::cluster::detail
