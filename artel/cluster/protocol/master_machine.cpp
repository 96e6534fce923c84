#include "artel/cluster/protocol/master_machine.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "artel/cluster/protocol/detail/master_job.hpp"
#include "artel/cluster/protocol/detail/own_queues.hpp"
#include "artel/cluster/protocol/detail/roster.hpp"
#include "artel/cluster/protocol/detail/worker_queues.hpp"
#include "artel/cluster/protocol/job_counts.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/tell_problem.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {
namespace {

constexpr Duration kTickMax = std::chrono::milliseconds(50);
constexpr Duration kSilencePerTick = std::chrono::milliseconds(500);  // of a worker, at most
constexpr Duration kSweepAgain = std::chrono::seconds(5);  // longer than a request may take

void add(JobCounts& sum, const JobCounts& more) {
  sum.chunks.issued += more.chunks.issued;
  sum.chunks.done += more.chunks.done;
  sum.chunks.duplicates += more.chunks.duplicates;
  sum.chunks.reissued += more.chunks.reissued;
  sum.chunks.speculated += more.chunks.speculated;
  sum.refused += more.refused;
  sum.suspect += more.suspect;
  sum.dead += more.dead;
  sum.out_max = std::max(sum.out_max, more.out_max);
}

}  // namespace

MasterMachine::MasterMachine(Options options)
    : shared_{.options = std::move(options.queue),
              .reply = std::move(options.reply),
              .roster = detail::Roster(options.signs)} {
  if (const auto& policy = shared_.options.dispatch) {
    shared_.own = std::make_unique<detail::OwnQueues>(
        detail::WorkerQueues(*policy, shared_.options.per_worker, options.seed), shared_.roster,
        shared_.actions);
  }
}

MasterActions MasterMachine::step(MasterEvent event, Instant now) {
  shared_.now = now;
  std::visit([this](auto& one) { on(one); }, event);
  return std::exchange(shared_.actions, {});
}

Duration MasterMachine::tick_every() const {
  const Duration tick = std::min(kTickMax, shared_.options.lease / 4);
  return shared_.own ? std::min(tick, shared_.own->places().interval()) : tick;
}

std::size_t MasterMachine::credit() const { return shared_.roster.strength({}).credit; }

JobCounts MasterMachine::counts() const {
  JobCounts sum = ended_;
  for (const auto& [id, job] : jobs_) add(sum, job.counts());
  return sum;
}

std::size_t MasterMachine::out() const {
  std::size_t sum = 0;
  for (const auto& [id, job] : jobs_) sum += job.out();
  return sum;
}

// ---- Jobs

detail::MasterJob* MasterMachine::find(const std::string& job) {
  const auto at = jobs_.find(job);
  return at == jobs_.end() ? nullptr : &at->second;
}

void MasterMachine::on(const JobBegun& event) {
  const auto [at, fresh] = jobs_.try_emplace(event.job, shared_, event.job);
  if (fresh) at->second.ask_for_more();
}

void MasterMachine::on(const JobEnded& event) {
  detail::MasterJob* const job = find(event.job);
  if (job == nullptr) return;
  if (job->end()) to_sweep_.emplace(event.job, shared_.now);
  add(ended_, job->counts());
  jobs_.erase(event.job);
  sweep();
}

// What was told to the server while it did not listen is told again.
void MasterMachine::sweep() {
  for (auto& [job, at] : to_sweep_) {
    if (shared_.now < at) continue;
    at = later(shared_.now, kSweepAgain);
    shared_.act(SweepJob{job});
  }
}

void MasterMachine::on(const JobSwept& event) {
  if (event.swept) to_sweep_.erase(event.job);
}

void MasterMachine::on(const ChunkStored& event) {
  if (find(event.chunk.job) == nullptr) return shared_.act(EraseMessage{event.number});
  pass_on(event.chunk.job, event);
}

void MasterMachine::on(const MessageGivenUp& event) { shared_.act(ReadMessage{event.number}); }

// Those of other masters are theirs.
void MasterMachine::on(const MessageRead& event) {
  if (event.order) pass_on(event.order->job, event);
}

// ---- Time and the connection

void MasterMachine::on(const MasterTick& /*event*/) {
  const Instant now = shared_.now;
  const Duration passed = now - std::exchange(ticked_, now).value_or(now);
  if (passed > shared_.options.patience) {
    // This process was stopped: what has come meanwhile is read after the first tick.
    shared_.link.did_not_run(passed, now);
    for (auto& [id, job] : jobs_) job.did_not_run(passed);
  }
  if (passed > kSilencePerTick) shared_.roster.did_not_listen(passed - kSilencePerTick, now);
  if (shared_.link.gone() != nullptr) {
    for (auto& [id, job] : jobs_) job.check_connection();
    return;
  }
  if (shared_.roster.forget_silent(now)) workers_changed();
  if (shared_.own) {
    const auto left = [this](const ChunkAddress& chunk, bool working) {
      if (detail::MasterJob* const job = find(chunk.job)) job->left(chunk.index, working);
    };
    shared_.own->tend(shared_.options.lease, left, now);
  }
  if (std::exchange(call_due_, false)) {
    for (auto& [id, job] : jobs_) job.call_workers();
  }
  for (auto& [id, job] : jobs_) job.watch(passed);
  sweep();
}

void MasterMachine::on(const MasterDisconnected& event) {
  shared_.link.lost(event, shared_.now);
  for (auto& [id, job] : jobs_) job.disconnected();
  shared_.act(TellProblem{event.why});
}

void MasterMachine::on(const MasterReconnected& /*event*/) {
  const Duration gone = shared_.link.back(shared_.now);
  shared_.roster.did_not_listen(gone, shared_.now);
  if (shared_.own) shared_.own->doubt();
  for (auto& [id, job] : jobs_) job.reconnected(gone);
}

void MasterMachine::on(const TroubleCame& event) {
  if (shared_.link.trouble_came(event, shared_.now)) shared_.act(TellProblem{event.error});
}

// ---- Workers

void MasterMachine::workers_changed() {
  for (auto& [id, job] : jobs_) job.workers_changed();
}

void MasterMachine::on(ReportCame& event) {
  const WorkerReport& report = event.report;
  for (const LeasedChunk& held : report.held) {
    if (detail::MasterJob* const job = find(held.job)) job->mentioned(held.index);
  }
  for (const auto& [id, job] : jobs_) {
    if (!job.is_pulled_by(report) && !report.draining) call_due_ = true;
  }
  if (shared_.roster.heard(std::move(event.report), shared_.now)) workers_changed();
}

void MasterMachine::on(const OwnQueueMade& event) {
  if (shared_.own && shared_.own->made(event, shared_.now)) workers_changed();
}

void MasterMachine::on(const BeaconStored& event) {
  if (!shared_.own) return shared_.act(EraseMessage{event.number});
  shared_.own->beacon_stored(event);
}

void MasterMachine::on(const BeaconAnswered& event) {
  if (shared_.own) shared_.own->beacon_answered(event, shared_.now);
}

}  // namespace artel::cluster
