#include "artel/cluster/protocol/detail/own_queues.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "artel/cluster/protocol/detail/roster.hpp"
#include "artel/cluster/protocol/detail/worker_queues.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

void OwnQueues::tend(Duration lease, const Left& left, Instant now) {
  std::map<std::string, WorkerReport> there;
  for (WorkerReport& report : roster_.workers()) there.emplace(report.worker, std::move(report));

  const bool lost = std::exchange(lost_, false);
  for (const std::string& worker : places_.workers()) {
    const auto at = there.find(worker);
    if (at == there.end()) {
      leave(worker, nullptr, left, now);
    } else if (at->second.draining) {
      leave(worker, &at->second, left, now);
    } else if (lost) {
      make(worker);  // should that fail, its chunks are looked for
    }
  }
  bool unheard = false;
  for (const auto& [worker, report] : there) {
    if (report.draining) continue;
    const std::string queue = Subjects::own_consumer(worker);
    unheard = unheard || std::ranges::find(report.queues, queue) == report.queues.end();
    if (!places_.has(worker)) make(worker);
  }
  if (unheard) act(CallQueue{});
  for (const auto& [worker, number] : places_.due_beacons(now, lease)) {
    act(SendBeacon{worker, number});
  }
  places_.tick(now);
}

void OwnQueues::make(const std::string& worker) {
  if (being_made_.insert(worker).second) act(MakeOwnQueue{worker});
}

void OwnQueues::make_anew(const std::string& worker) {
  if (!being_made_.contains(worker)) act(DropOwnQueue{worker});
  make(worker);
}

bool OwnQueues::made(const OwnQueueMade& event, Instant now) {
  being_made_.erase(event.worker);
  if (!event.made || !roster_.stays(event.worker)) return false;
  places_.join(event.worker, roster_.find(event.worker)->threads, now);
  return true;
}

// `last`: it finishes what it says to be at.
void OwnQueues::leave(const std::string& worker, const WorkerReport* last, const Left& left,
                      Instant now) {
  if (const auto beacon = beacons_.find(worker); beacon != beacons_.end()) {
    act(EraseMessage{beacon->second});
    beacons_.erase(beacon);
  }
  for (const ChunkAddress& chunk : places_.leave(worker, now)) {
    left(chunk, last != nullptr && std::ranges::any_of(last->held, [&](const LeasedChunk& held) {
                  return held.job == chunk.job && held.index == chunk.index &&
                         held.running > Duration{};
                }));
  }
  act(DropOwnQueue{worker});  // whatever of it stays there, the server drops some time
}

void OwnQueues::beacon_stored(const BeaconStored& event) {
  if (!places_.has(event.worker)) return act(EraseMessage{event.number});
  const auto [at, first] = beacons_.try_emplace(event.worker, event.number);
  if (!first) act(EraseMessage{std::exchange(at->second, event.number)});  // it counts as lost
}

void OwnQueues::beacon_answered(const BeaconAnswered& event, Instant now) {
  if (places_.beacon_came(event.answer, now)) beacons_.erase(event.answer.worker);
}

}  // namespace artel::cluster::detail
