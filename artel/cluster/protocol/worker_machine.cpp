#include "artel/cluster/protocol/worker_machine.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/cluster/protocol/beacon_request.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/detail/chunk_pull.hpp"
#include "artel/cluster/protocol/queue_call.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/tell_problem.hpp"
#include "artel/cluster/protocol/worker_action.hpp"
#include "artel/cluster/protocol/worker_event.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {
namespace {

constexpr std::size_t kOwnFetch = 64;  // messages of the worker's own queue at once
constexpr std::size_t kLeft = 4;
constexpr int kRenewals = 3;     // per lease
constexpr int kReportsMax = 20;  // instead of one, while the credit changes
constexpr Duration kLookAgain = std::chrono::milliseconds(100);  // for a queue that is not there
constexpr Duration kLookLate = std::chrono::seconds(1);          // for an answer that does not come

Duration lease_of(const ChunkOrder& order) {
  return std::max(order.lease, WorkerMachine::kLeaseMin);
}

}  // namespace

WorkerMachine::WorkerMachine(Options options, Instant now)
    : options_(std::move(options)),
      begun_(now),
      now_(now),
      ahead_(options_.threads),
      told_(now),
      next_report_(now) {}

WorkerActions WorkerMachine::step(const WorkerEvent& event, Instant now) {
  if (left_) return {};
  now_ = now;
  std::visit([this](const auto& one) { on(one); }, event);
  if (draining_) {
    hand_back_what_waits();
  } else {
    tend_sources();
  }
  leave_if_done();
  return std::exchange(actions_, {});
}

Instant WorkerMachine::wake_at() const {
  if (left_) return kNever;
  Instant next = std::min(next_renewal_, next_report_);
  for (const auto& [queue, from] : sources_) {
    if (from.pull.quiet_until() > now_) next = std::min(next, from.pull.quiet_until());
    if (!from.there && !draining_) next = std::min(next, from.look_at);
  }
  return std::max(next, now_);
}

// ---- Getting chunks

bool WorkerMachine::may_pull(const QueueCall& call) const {
  if (call.queue.empty()) return true;
  return std::ranges::all_of(call.tasks, [&](const TaskKey& task) {
    return std::ranges::find(options_.tasks, task) != options_.tasks.end();
  });
}

void WorkerMachine::on(const QueueCalled& event) {
  if (draining_ || !may_pull(event.call)) return;
  const QueueName& queue = event.call.queue.empty() ? options_.own_queue : event.call.queue;
  const bool added =
      sources_
          .try_emplace(queue, Source{.pull = detail::ChunkPull(options_.inbox + "." + queue),
                                     .look_at = now_})
          .second;
  if (added) send_report("");
}

// How many more chunks it may ask for. It asks when half of those that may wait are left, of many
// when there are kLeft for each thread: a request costs about as much as a chunk, and what comes
// together costs less.
std::size_t WorkerMachine::room(const QueueName& queue) const {
  if (queue == options_.own_queue) return kOwnFetch;
  const std::size_t ahead = ahead_.get();
  const std::size_t left = std::min(ahead / 2, kLeft * options_.threads);
  if (leases_.size() > options_.threads + left) return 0;
  return options_.threads + ahead - leases_.size();
}

void WorkerMachine::ask(const QueueName& queue, Source& from) {
  const std::size_t chunks = room(queue);
  if (chunks == 0 || !from.pull.may_ask(now_)) return;
  act(Pull{queue, from.pull.ask(chunks, now_), chunks, detail::ChunkPull::kOpen});
}

// The server says nothing to requests for chunks of a queue that is not there.
void WorkerMachine::tend_sources() {
  for (auto& [queue, from] : sources_) {
    if (from.there && from.pull.was_lost(now_)) {
      from.there = false;
      from.look_at = now_;
    }
    if (from.there) {
      ask(queue, from);
    } else if (now_ >= from.look_at) {
      from.look_at = later(now_, kLookLate);
      act(LookUpQueue{queue});
    }
  }
}

void WorkerMachine::on(const PullEnded& event) {
  for (auto& [queue, from] : sources_) from.pull.status_came(event.subject, event.status, now_);
}

void WorkerMachine::on(const QueueLookedUp& event) {
  const auto at = sources_.find(event.queue);
  if (at == sources_.end() || at->second.there) return;
  Source& from = at->second;
  from.there = event.there;
  if (event.there) return from.missed.reset();
  if (!from.missed) from.missed = now_;
  from.look_at = later(now_, kLookAgain);
  if (now_ - *from.missed > kMissedMax) sources_.erase(at);
}

void WorkerMachine::on(const WorkerReconnected& /*event*/) {
  for (auto& [queue, from] : sources_) {
    from.pull.forget();
    from.there = false;
    from.look_at = now_;
  }
  send_report("");
}

void WorkerMachine::on(const ForgedCame& /*event*/) { ++counts_.forged; }

void WorkerMachine::on(const Discovered& event) { send_report(event.reply); }

void WorkerMachine::chunk_came(const QueueName& queue) {
  const auto at = sources_.find(queue);
  if (at != sources_.end()) at->second.pull.chunk_came();
}

void WorkerMachine::on(const ChunkCame& event) {
  chunk_came(event.queue);
  ChunkLease& lease = leases_[++last_lease_];
  lease.order = event.order;
  lease.delivery = event.delivery;
  lease.ack = event.ack;
  lease.renew_at = later(now_, lease_of(*event.order) / kRenewals);
  next_renewal_ = std::min(next_renewal_, lease.renew_at);
  act(PostLease{last_lease_});
}

void WorkerMachine::on(const UnreadableCame& event) {
  chunk_came(event.queue);
  ++counts_.refused;
  act(TellServer{event.ack, "+TERM"});
  act(TellProblem{event.error});
}

// It takes its place behind the chunks that came before it.
void WorkerMachine::on(const BeaconCame& event) {
  chunk_came(event.queue);
  act(TellServer{event.ack, "+ACK"});
  ChunkLease& lease = leases_[++last_lease_];
  lease.beacon = event.beacon;
  lease.told = true;
  act(PostLease{last_lease_});
}

// ---- Working

void WorkerMachine::on(const ThreadReady& event) {
  const auto at = leases_.find(event.lease);
  if (at == leases_.end()) return;
  ChunkLease& lease = at->second;
  if (!lease.order) {
    const BeaconRequest beacon = lease.beacon;
    leases_.erase(at);
    act(AnswerBeacon{beacon.reply,
                     {.worker = options_.id,
                      .number = beacon.number,
                      .queued = static_cast<std::uint32_t>(leases_.size()),
                      .done = counts_.done + counts_.failed + counts_.refused + counts_.returned}});
    return;
  }
  if (lease.told) {  // handed back meanwhile
    leases_.erase(at);
    return;
  }
  lease.begun = now_;
  act(RunChunk{event.lease, lease.order, lease.delivery});
}

void WorkerMachine::on(const NotPosted& event) {
  const auto at = leases_.find(event.lease);
  if (at == leases_.end()) return;
  hand_back(at->second);
  leases_.erase(at);
}

void WorkerMachine::on(const ChunkWorked& event) {
  const auto at = leases_.find(event.lease);
  if (at == leases_.end()) return;
  ChunkLease& lease = at->second;
  const ChunkOrder& order = *lease.order;
  const bool failed = event.outcome == ChunkOutcome::failed;
  counts_.busy += event.worked;
  if (failed && !event.hopeless && lease.delivery < order.tries) {
    ++counts_.returned;
    hand_back(lease, options_.retry_delay);
    leases_.erase(at);
    return;
  }
  ahead_.note_work(event.worked);
  if (ahead_.is_news()) {
    next_report_ = std::min(next_report_, later(told_, options_.report_every / kReportsMax));
  }
  ++(event.outcome == ChunkOutcome::done ? counts_.done
     : failed                            ? counts_.failed
                                         : counts_.refused);
  if (failed) act(BuryChunk{{event.why, options_.id, order}});
  const bool together = leases_.size() > options_.threads && ahead_.is_brief();
  if (!lease.told) act(AnswerChunk{lease.order, lease.ack, failed ? "+TERM" : "+ACK", together});
  lease.told = true;
  leases_.erase(at);
}

void WorkerMachine::tell(ChunkLease& lease, std::string word) {
  if (std::exchange(lease.told, true)) return;
  act(TellServer{lease.ack, std::move(word)});
}

void WorkerMachine::hand_back(ChunkLease& lease, Duration delay) {
  tell(lease, delay > Duration{} ? fmt::format(R"(-NAK {{"delay":{}}})", delay.count()) : "-NAK");
}

// ---- Telling

void WorkerMachine::on(const WorkerTick& /*event*/) {
  if (now_ >= next_renewal_) renew_leases();
  if (now_ >= next_report_) {
    ahead_.told();
    send_report("");
  }
}

void WorkerMachine::renew_leases() {
  next_renewal_ = kNever;
  for (auto& [id, lease] : leases_) {
    if (lease.told) continue;
    if (lease.renew_at <= now_) {
      lease.renew_at = later(now_, lease_of(*lease.order) / kRenewals);
      act(TellServer{lease.ack, "+WPI"});
    }
    next_renewal_ = std::min(next_renewal_, lease.renew_at);
  }
}

void WorkerMachine::send_report(std::string reply) {
  if (reply.empty()) {
    told_ = now_;
    next_report_ = later(now_, options_.report_every);
  }
  act(SendReport{std::move(reply), report(now_)});
}

WorkerReport WorkerMachine::report(Instant now) const {
  WorkerReport report = counts_;
  report.worker = options_.id;
  report.host = options_.host;
  report.pid = options_.pid;
  for (const auto& [queue, from] : sources_) report.queues.push_back(queue);
  report.signed_only = options_.signed_only;
  report.draining = draining_;
  report.leaving = left_;
  report.every = options_.report_every;
  report.uptime = now - begun_;
  report.threads = options_.threads;
  report.credit = static_cast<std::uint32_t>(options_.threads + ahead_.get());
  report.tasks = options_.tasks;
  for (const auto& [id, lease] : leases_) {
    if (!lease.order) continue;
    report.held.push_back({lease.order->job, lease.order->index, lease.order->epoch,
                           lease.begun ? std::max(now - *lease.begun, Duration(1)) : Duration()});
  }
  return report;
}

// ---- Leaving

void WorkerMachine::on(const DrainWanted& /*event*/) {
  if (std::exchange(draining_, true)) return;
  send_report("");
}

bool WorkerMachine::pulls_open() const {
  return std::ranges::any_of(sources_,
                             [&](const auto& source) { return source.second.pull.is_open(now_); });
}

// What goes back while something is asked for comes back at once, and has been delivered once more.
void WorkerMachine::hand_back_what_waits() {
  if (pulls_open()) return;
  for (auto& [id, lease] : leases_) {
    if (lease.begun || lease.told) continue;
    ++counts_.returned;
    hand_back(lease);
  }
  std::erase_if(leases_, [](const auto& held) { return held.second.told && !held.second.begun; });
}

void WorkerMachine::on(const EndWanted& /*event*/) {
  for (auto& [id, lease] : leases_) hand_back(lease);
}

// What was asked for may still come.
void WorkerMachine::leave_if_done() {
  if (!draining_ || left_ || !leases_.empty() || pulls_open()) return;
  left_ = true;
  send_report("");
  act(WorkerLeft{});
}

}  // namespace artel::cluster
