#include "tests/cluster/master_laws.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/master_machine.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"
#include "tests/cluster/overloaded.hpp"

namespace artel::cluster::simulated {
namespace {

constexpr Duration kSweepAgain = std::chrono::seconds(5);
constexpr Duration kSilencePerTick = std::chrono::milliseconds(500);

std::string without_epoch(ChunkOrder order) {
  order.epoch = 0;
  return encode(order);
}

}  // namespace

MasterLaws::MasterLaws(std::string job, std::string reply, QueueOptions options, Numbers numbers)
    : job_(std::move(job)),
      reply_(std::move(reply)),
      options_(std::move(options)),
      silence_max_(options_.worker_timeout + 2 * options_.patience),
      numbers_(numbers) {}

MasterLaws::Sent* MasterLaws::find(const ChunkAddress& chunk) {
  const auto at = chunk.job == job_ ? out_.find(chunk.index) : out_.end();
  return at == out_.end() ? nullptr : &at->second;
}

void MasterLaws::told(const MasterEvent& event, Instant now) {
  tick_ = std::holds_alternative<MasterTick>(event) && !disconnected_;
  found_ = std::holds_alternative<ChunkFound>(event);
  if (const auto* const taken = std::get_if<ChunkTaken>(&event)) {
    taken_.emplace(taken->order->index, *taken->order);
    if (asked_for_ == 0) broken("a chunk is given that was not asked for");
    --asked_for_;
  }
  if (std::holds_alternative<MasterTick>(event)) {
    passed_ = now - std::exchange(ticked_, now).value_or(now);
    if (passed_ > options_.patience) {  // it was stopped
      not_counted(passed_, now);
      if (unanswered_) unanswered_ = std::min(now, *unanswered_ + passed_);
      if (disconnected_) disconnected_at_ = std::min(now, disconnected_at_ + passed_);
    }
    not_received(passed_ - kSilencePerTick, now);
    const bool silent = tick_ && unanswered_ && now - *unanswered_ >= options_.patience;
    doubted_ = doubted_ || (silent && !out_.empty());
  }
  check_answer(event);
  std::visit(Overloaded{[&](const JobBegun&) {
                          there_ = true;
                          begun_ = moved_ = now;
                        },
                        [&](const SourceEmpty&) { asked_for_ = 0; },
                        [&](const MasterDisconnected&) {
                          if (!disconnected_) disconnected_at_ = now;
                          disconnected_ = true;
                          if (!out_.empty() && !unanswered_) unanswered_ = now;
                        },
                        [&](const MasterReconnected&) {
                          if (disconnected_) {
                            not_counted(now - disconnected_at_, now);
                            not_received(now - disconnected_at_, now);
                          }
                          disconnected_ = false;
                          doubted_ = true;
                        },
                        [&](const ReportCame& x) {
                          const WorkerReport& report = x.report;
                          idle_.erase(report.worker);
                          members_.erase(report.worker);
                          if (!report.leaving) members_[report.worker] = {now, report.every};
                          const auto mine = [&](const LeasedChunk& it) { return it.job == job_; };
                          if (std::ranges::any_of(report.held, mine)) moved_ = now;
                          if (report.held.empty() && !report.draining && !report.leaving)
                            idle_[report.worker] = now;
                          if (there_ && !tasks_.empty() && !report.draining && !pulls(report))
                            call_due_ = true;
                        },
                        [&](const ResultCame& x) {
                          if (x.result.job == job_) moved_ = now;
                        },
                        [&](const MessageRead& x) {
                          if (x.order && x.order->job == job_) moved_ = now;
                        },
                        [](const auto&) {}},
             event);
}

// L8: only this is a word of the queue.
void MasterLaws::check_answer(const MasterEvent& event) {
  const bool answer = std::visit(
      Overloaded{[&](const ChunkStored& x) { return x.chunk.job == job_; },
                 [&](const ChunkFound& x) { return x.chunk.job == job_; },
                 [&](const ChunkNotStored& x) { return x.chunk.job == job_ && x.refused; },
                 [&](const MessageRead& x) { return x.order && x.order->job == job_; },
                 [](const auto&) { return false; }},
      event);
  if (answer) unanswered_.reset();
}

void MasterLaws::note(const MasterActions& actions, Instant now) {
  erased_.clear();
  ended_.clear();
  failures_.clear();
  queue_failed_ = false;
  sent_again_.clear();
  unwanted_.clear();
  reads_.clear();
  before_.clear();
  owed_.clear();
  read_.clear();
  buried_ = 0;
  buries_.clear();
  swept_now_ = called_ = made_ = false;
  for (const MasterAction& action : actions) {
    std::visit(Overloaded{[&](const SendChunk& x) { sent(x, now); },
                          [&](const LookUpChunk& x) { looked_up(x, now); },
                          [&](const FinishChunk& x) { ended(x.result.index, End::finished); },
                          [&](const FailChunk& x) {
                            ended(x.chunk.index, End::failed);
                            failures_.push_back(x.error.what);
                          },
                          [&](const GiveUpChunk& x) { ended(x.chunk.index, End::given_up); },
                          [&](const EraseMessage& x) { erased_.insert(x.number); },
                          [&](const TakeChunks& x) { asked_for_ += x.count; },
                          [&](const ReadMessage& x) { read_.insert(x.number); },
                          [&](const BuryLetter& x) {
                            ++buried_;
                            buries_.insert(x.number);
                          },
                          [&](const MakeQueue&) { made_ = true; },
                          [&](const SweepJob&) {
                            if (swept_ && now - *swept_ < kSweepAgain)
                              broken("it sweeps too often");
                            swept_now_ = true;
                            swept_ = now;
                          },
                          [](const auto&) {}},
               action);
  }
}

std::vector<std::string> MasterLaws::check(const MasterEvent& event, const MasterActions& actions,
                                           const MasterMachine& machine, Instant now) {
  note(actions, now);
  std::visit(Overloaded{[&](const ChunkStored& x) { check_stored(x); },
                        [&](const ChunkFound& x) { check_found(x, machine); },
                        [&](const MessageRead& x) { check_read(x); },
                        [&](const JobEnded& x) { check_ended(x); },
                        [&](const MessageGivenUp& x) {
                          if (!read_.contains(x.number))
                            broken("what is given up is not looked at");
                        },
                        [&](const ResultCame& x) {  // L2
                          const ChunkResult& result = x.result;
                          if (result.outcome != ChunkOutcome::refused &&
                              find({result.job, result.index}) != nullptr)
                            broken(fmt::format("the result of chunk {} is lost", result.index));
                        },
                        [&](const JobSwept& x) {
                          if (x.swept) swept_.reset();
                        },
                        [&](const MasterReconnected&) {
                          if (there_ && !tasks_.empty() && !made_)
                            broken("the queue may be lost, and is not made");
                        },
                        [&](const BeaconStored& x) { check_beacon(x); }, [](const auto&) {}},
             event);
  if (const auto* const late = std::get_if<ChunkStored>(&event);
      late != nullptr && find(late->chunk) == nullptr)
    unwanted_.insert(late->number);
  if (const auto* const read = std::get_if<MessageRead>(&event)) unwanted_.insert(read->number);
  check_erased();
  check_members(machine, now);
  check_workers(actions, machine);
  check_own_queues(event, actions, machine);
  if (tick_) check_sweep(now);
  if (std::holds_alternative<MasterTick>(event)) check_time(machine, now);
  return std::exchange(broken_, {});
}

// ---- What is sent, and how it ends

void MasterLaws::sent(const SendChunk& action, Instant now) {
  const ChunkOrder& order = *action.order;
  asked(now);
  if (const auto first = taken_.find(order.index); first != taken_.end()) {
    ChunkOrder expected = std::move(first->second);
    taken_.erase(first);
    expected.reply = reply_;
    expected.lease = options_.lease;
    expected.tries = options_.tries;
    expected.needs = options_.needs;
    if (encode(expected) != encode(order)) broken("a chunk is not sent as it was taken");
    if (out_.empty()) moved_ = now;
    place(action);
    out_[order.index] = {.bytes = without_epoch(order),
                         .worker = action.worker,
                         .place = action.worker,
                         .sent = now,
                         .stored = {}};
    if (!tasks_.empty()) return;
    if (order.map) tasks_.push_back(*order.map);
    if (order.fold) tasks_.push_back(*order.fold);
    for (const std::string& tag : order.needs) tasks_.push_back(tag_key(tag));
    return;
  }
  Sent* const chunk = find({order.job, order.index});
  if (chunk == nullptr) return broken(fmt::format("chunk {} is sent, but not out", order.index));
  if (without_epoch(order) != chunk->bytes) broken("a later copy differs from the first");
  if (order.epoch != chunk->epoch + 1) {
    broken(
        fmt::format("copy {} of chunk {} follows copy {}", order.epoch, order.index, chunk->epoch));
  }
  if (!action.worker.empty()) broken("a later copy goes to one worker alone");
  unwanted_.insert(chunk->stored.begin(), chunk->stored.end());
  before_.emplace(order.index, std::pair(chunk->worker, chunk->sent));
  chunk->epoch = order.epoch;
  chunk->worker.clear();
  if (found_) chunk->place.clear();  // the first copy is lost; else it is slow, or its worker gone
  chunk->sent = now;
  doubted_ = true;
  sent_again_.insert(order.index);
}

// The answer is about the queue that is asked: that of the first copy, if a later one is only there
// because the first takes long.
void MasterLaws::looked_up(const LookUpChunk& action, Instant now) {
  asked(now);
  if (Sent* const chunk = find(action.chunk)) chunk->worker = action.worker;
}

void MasterLaws::ended(std::uint64_t index, End how) {
  ended_[index] = how;
  const auto at = out_.find(index);
  if (at == out_.end()) return broken(fmt::format("chunk {} ends, but is not out", index));
  const Sent& chunk = at->second;
  if (how != End::finished) doubted_ = true;
  // Its worker acknowledges the only copy.
  if (how != End::finished || chunk.epoch > 0) owed_[index] = chunk.stored;
  reads_[index] = chunk.given_up;
  unwanted_.insert(chunk.stored.begin(), chunk.stored.end());
  out_.erase(at);
}

void MasterLaws::asked(Instant now) {
  asked_ = now;
  if (!unanswered_) unanswered_ = now;
}

// ---- L3, L4: copies

void MasterLaws::check_stored(const ChunkStored& event) {
  if (event.chunk.job != job_) return;
  const bool gone = erased_.contains(event.number);
  Sent* const chunk = find(event.chunk);
  if (chunk != nullptr) {
    if (chunk->given_up == 0 && gone) broken("what is out is erased as soon as it is stored");
    if (!gone) chunk->stored.insert(event.number);
    return;
  }
  if (gone != (event.epoch > 0 || !there_)) {
    broken(fmt::format("a number that comes late, of copy {} of chunk {}, is {}", event.epoch,
                       event.chunk.index, gone ? "erased" : "not erased"));
  }
}

void MasterLaws::check_ended(const JobEnded& event) {
  if (event.job != job_) return;
  for (const auto& [index, chunk] : out_) owed_[index] = chunk.stored;
  out_.clear();
  there_ = false;
  if (doubted_ && !swept_now_) broken("a job that may have left messages is not swept");
}

void MasterLaws::check_erased() {
  for (const auto& [index, numbers] : owed_) {
    for (const StoredNumber number : numbers) {
      if (!erased_.contains(number) && !buries_.contains(number))
        broken(fmt::format("message {} of chunk {}, which has ended, stays", number, index));
    }
  }
  for (auto& [index, chunk] : out_) {
    for (const StoredNumber number : erased_) {
      if (chunk.stored.erase(number) == 0 || unwanted_.contains(number)) continue;
      if (chunk.given_up == 0 && numbers_ == Numbers::once)
        broken(fmt::format("message {} of chunk {} is erased, which is out", number, index));
    }
  }
}

void MasterLaws::check_sweep(Instant now) {
  if (swept_ && now - *swept_ > kSweepAgain + options_.lease)
    broken("a job that was not swept is not swept again");
}

// ---- L5, L7: what the server says

void MasterLaws::check_found(const ChunkFound& event, const MasterMachine& machine) {
  Sent* const chunk = find(event.chunk);
  if (chunk == nullptr || chunk->given_up > 0) return;
  const bool again = sent_again_.contains(event.chunk.index);
  const QueueState& queue = event.queue;
  const bool queued = event.state == MessageState::queued;
  const bool lost = !queued || event.number <= queue.done_to || queue.waiting + queue.in_hand == 0;
  if (lost && !again)
    broken(fmt::format("chunk {} is lost, and not sent again", event.chunk.index));
  if (queued && again && !erased_.contains(event.number))
    broken(fmt::format("message {} stays beside its copy", event.number));
  if (queued && !again) chunk->stored.insert(event.number);
  const auto sent_before = before_.find(event.chunk.index);
  const auto& [worker, sent] = again && sent_before != before_.end()
                                   ? sent_before->second
                                   : std::pair(chunk->worker, chunk->sent);
  const Instant since = later(sent, options_.lease * (options_.tries + 1));
  const bool idle = std::ranges::any_of(machine.workers(), [&](const WorkerReport& report) {
    const auto at = idle_.find(report.worker);
    return at != idle_.end() && at->second >= since && knows(report) &&
           (worker.empty() || report.worker == worker);
  });
  if (!lost && again != idle) {
    broken(fmt::format("chunk {} waits, {} worker is idle, and it is {}", event.chunk.index,
                       idle ? "a" : "no", again ? "sent again" : "not sent again"));
  }
}

void MasterLaws::check_read(const MessageRead& event) {
  if (!event.order || event.order->job != job_ || !there_) return;
  const bool buried = buries_.contains(event.number);
  if (!buried && !erased_.contains(event.number)) broken("what was given up stays");
  if (buried && erased_.contains(event.number))
    broken("what is given up leaves the queue before its letter is stored");
  const std::uint64_t index = event.order->index;
  const std::size_t copies = options_.tries > 1 ? 1 : 2;
  if (Sent* const chunk = find({job_, index})) {
    ++chunk->given_up;
  } else if (ended_.contains(index) && reads_[index] < copies) {
    broken(fmt::format("chunk {} is given up after {} copies", index, reads_[index] + 1));
  }
  if (buried_ != (ended_.contains(index) ? 1U : 0U))
    broken("what is given up is not what is buried");
}

}  // namespace artel::cluster::simulated
