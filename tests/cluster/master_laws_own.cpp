// L9: the workers' own queues.

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/master_machine.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "tests/cluster/master_laws.hpp"
#include "tests/cluster/overloaded.hpp"

namespace artel::cluster::simulated {
namespace {

// The worker, if it takes chunks.
const WorkerReport* taker(const std::vector<WorkerReport>& workers, const std::string& worker) {
  const auto at = std::ranges::find(workers, worker, &WorkerReport::worker);
  return at == workers.end() || at->draining ? nullptr : &*at;
}

}  // namespace

std::size_t MasterLaws::placed_at(const std::string& worker) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(out_, [&](const auto& sent) { return sent.second.place == worker; }));
}

void MasterLaws::place(const SendChunk& action) {
  const std::string& worker = action.worker;
  if (!worker.empty()) {
    const auto at = places_.find(worker);
    if (at == places_.end()) return broken(worker + " has no queue, and is sent a chunk");
    if (placed_at(worker) >= at->second) broken(worker + " has no place free, and is sent a chunk");
    return;
  }
  for (const auto& [other, places] : places_) {
    if (placed_at(other) < places)
      broken(fmt::format("{} has a place free, and chunk {} goes to nobody", other,
                         action.order->index));
  }
}

void MasterLaws::check_beacon(const BeaconStored& event) {
  const bool there = places_.contains(event.worker);
  if (!there && !erased_.contains(event.number))
    broken("a beacon for a worker that has no queue stays");
  if (!there) return;
  const auto [at, first] = beacons_.try_emplace(event.worker, event.number);
  if (!first && !erased_.contains(std::exchange(at->second, event.number)))
    broken("a beacon stays beside the next");
}

void MasterLaws::check_own_queues(const MasterEvent& event, const MasterActions& actions,
                                  const MasterMachine& machine) {
  if (!options_.dispatch) return;
  const std::vector<WorkerReport> workers = machine.workers();
  const auto* const made = std::get_if<OwnQueueMade>(&event);
  if (made != nullptr && made->made) {
    if (const WorkerReport* const report = taker(workers, made->worker))
      places_.emplace(made->worker, options_.per_worker + std::max(report->threads, 1U) - 1);
  }
  if (const auto* const answered = std::get_if<BeaconAnswered>(&event)) {
    const std::string& worker = answered->answer.worker;
    if (last_beacon_[worker] == answered->answer.number) beacons_.erase(worker);
  }
  const auto leaves = [&](const std::string& worker) {
    for (auto& [index, chunk] : out_) {
      if (chunk.place == worker) chunk.place.clear();
    }
    places_.erase(worker);
    if (const auto beacon = beacons_.extract(worker);
        !beacon.empty() && !erased_.contains(beacon.mapped()))
      broken("the beacon of a worker that has no queue any more stays");
  };
  bool called = false;
  for (const MasterAction& action : actions) {
    std::visit(Overloaded{[&](const DropOwnQueue& x) {
                            if (tick_) leaves(x.worker);  // else it is made anew
                          },
                          [&](const MakeOwnQueue& x) {
                            if (tick_ && taker(workers, x.worker) == nullptr)
                              broken(x.worker + " takes no chunks, and a queue is made for it");
                          },
                          [&](const SendBeacon& x) {
                            last_beacon_[x.worker] = x.number;
                            if (!places_.contains(x.worker))
                              broken("a beacon is sent to a worker that has no queue");
                          },
                          [&](const CallQueue& x) { called = called || x.call.queue.empty(); },
                          [](const auto&) {}},
               action);
  }
  std::size_t placed = 0;
  for (const auto& [index, chunk] : out_) placed += chunk.place.empty() ? 0 : 1;
  if (machine.placed() != placed)
    broken(fmt::format("{} places are taken, by {} chunks", machine.placed(), placed));
  if (!tick_) return;
  for (const auto& [worker, places] : places_) {
    if (taker(workers, worker) == nullptr) broken(worker + " takes no chunks, and keeps its queue");
  }
  const bool missing = std::ranges::any_of(workers, [](const WorkerReport& report) {
    return !report.draining &&
           std::ranges::find(report.queues, Subjects::own_consumer(report.worker)) ==
               report.queues.end();
  });
  if (called != missing) {
    broken(missing ? "a worker does not pull from its own queue, and is not called"
                   : "workers are called to their own queues, and none is missing");
  }
}

}  // namespace artel::cluster::simulated
