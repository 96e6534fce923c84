// What a Master knows of the workers, and the queues that it makes for them.

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "artel/cluster/protocol/detail/master_job.hpp"
#include "artel/cluster/protocol/detail/roster.hpp"
#include "artel/cluster/protocol/detail/worker_queues.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/master_machine.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {
namespace {

constexpr std::size_t kOutPerCredit = 2;  // one in hand, one that waits at the server
// Of the shortest, that a worker has in hand besides: done before the master could send another.
constexpr std::size_t kOutPerShort = 4;

std::size_t out_max(const detail::Roster::Strength& strength) {
  const std::size_t usual = std::min(strength.threads + strength.workers, strength.credit);
  return kOutPerCredit * usual + kOutPerShort * (strength.credit - usual);
}

}  // namespace

std::size_t MasterMachine::credit() const { return roster_.strength({}).credit; }

const detail::WorkersView& MasterMachine::view_of(detail::MasterJob& job) const {
  if (job.view) return *job.view;
  const detail::Roster::Strength strength = roster_.strength(job.tasks);
  detail::WorkersView& view = job.view.emplace(detail::WorkersView{
      .credit = strength.credit, .out_max = out_max(strength), .anybody = !roster_.empty()});
  if (own_) {
    view.credit = strength.threads + strength.workers * (options_.queue.per_worker - 1);
    view.out_max = view.credit;
  }
  for (const TaskKey& task : job.tasks) {
    view.known = roster_.check_task(task);
    if (!view.known) break;
  }
  return view;
}

void MasterMachine::workers_changed() {
  for (auto& [id, job] : jobs_) {
    job.view.reset();
    ask_for_more(job);
  }
}

void MasterMachine::on(ReportCame& event) {
  const WorkerReport& report = event.report;
  for (const LeasedChunk& held : report.held) {
    detail::MasterJob* const job = find(held.job);
    if (job == nullptr) continue;
    job->chunks.seen(held.index, now_);
    job->moved = now_;
  }
  for (const auto& [id, job] : jobs_) {
    const bool pulls =
        job.queue.empty() || std::ranges::find(report.queues, job.queue) != report.queues.end();
    if (!pulls && !report.draining) call_due_ = true;
  }
  if (roster_.heard(std::move(event.report), now_)) workers_changed();
}

// Those who know the tasks of a job are to pull from its queue.
void MasterMachine::call_queues() {
  for (const auto& [id, job] : jobs_) {
    if (job.queue.empty() || !roster_.anybody_missing(job.tasks, job.queue)) continue;
    act(CallQueue{{job.queue, job.tasks}});
  }
}

// ---- Queues of the workers' own

// A queue for everybody who has come, nothing for those who have left; beacons.
void MasterMachine::tend_own_queues() {
  std::map<std::string, WorkerReport> there;
  for (WorkerReport& report : roster_.workers()) there.emplace(report.worker, std::move(report));

  const bool lost = std::exchange(own_lost_, false);
  for (const std::string& worker : own_->workers()) {
    const auto at = there.find(worker);
    if (at == there.end()) {
      worker_left(worker, nullptr);
    } else if (at->second.draining) {
      worker_left(worker, &at->second);
    } else if (lost && being_made_.insert(worker).second) {
      act(MakeOwnQueue{worker});  // should that fail, its chunks are looked for
    }
  }
  bool unheard = false;
  for (const auto& [worker, report] : there) {
    if (report.draining) continue;
    const std::string queue = Subjects::own_consumer(worker);
    unheard = unheard || std::ranges::find(report.queues, queue) == report.queues.end();
    if (!own_->has(worker) && being_made_.insert(worker).second) act(MakeOwnQueue{worker});
  }
  if (unheard) act(CallQueue{});
  for (const auto& [worker, number] : own_->due_beacons(now_, options_.queue.lease)) {
    act(SendBeacon{worker, number});
  }
  own_->tick(now_);
}

void MasterMachine::on(const OwnQueueMade& event) {
  being_made_.erase(event.worker);
  const WorkerReport* const report = roster_.find(event.worker);
  if (!event.made || report == nullptr || report->draining) return;
  own_->join(event.worker, report->threads, now_);
  workers_changed();
}

// Others get what it had; `last`: it finishes what it says to be at.
void MasterMachine::worker_left(const std::string& worker, const WorkerReport* last) {
  if (const auto beacon = beacons_.find(worker); beacon != beacons_.end()) {
    act(EraseMessage{beacon->second});
    beacons_.erase(beacon);
  }
  for (const ChunkAddress& address : own_->leave(worker, now_)) {
    detail::MasterJob* const job = find(address.job);
    detail::OutstandingChunks::Chunk* const chunk =
        job != nullptr ? job->chunks.find(address.index) : nullptr;
    if (chunk == nullptr) continue;
    chunk->worker.clear();
    const bool working =
        last != nullptr && std::ranges::any_of(last->held, [&](const LeasedChunk& held) {
          return held.job == address.job && held.index == address.index &&
                 held.running > Duration{};
        });
    job->doubted = true;
    chunk->unacknowledged = true;
    if (working) continue;
    erase_copies(*chunk);
    reissue(*job, address.index);
  }
  act(DropOwnQueue{worker});  // whatever of it stays there, the server drops some time
}

void MasterMachine::on(const BeaconStored& event) {
  if (own_ && own_->has(event.worker)) {
    const auto [at, first] = beacons_.try_emplace(event.worker, event.number);
    if (!first) act(EraseMessage{std::exchange(at->second, event.number)});  // it counts as lost
  } else {
    act(EraseMessage{event.number});
  }
}

void MasterMachine::on(const BeaconAnswered& event) {
  if (!own_) return;
  if (own_->beacon_came(event.answer, now_)) beacons_.erase(event.answer.worker);
}

}  // namespace artel::cluster
