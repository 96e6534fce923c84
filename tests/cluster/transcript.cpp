#include "tests/cluster/transcript.hpp"

#include <fmt/core.h>

#include <string>
#include <variant>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/tell_problem.hpp"
#include "artel/cluster/protocol/worker_action.hpp"
#include "artel/cluster/protocol/worker_event.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {
namespace {

using fmt::format;

std::string name(const ChunkAddress& chunk) { return format("{}.{}", chunk.job, chunk.index); }
std::string name(const ChunkOrder& order) {
  return format("{}.{}.{}", order.job, order.index, order.epoch);
}
std::string name(ChunkOutcome outcome) {
  return outcome == ChunkOutcome::done     ? "done"
         : outcome == ChunkOutcome::failed ? "failed"
                                           : "refused";
}
std::string keys(const std::vector<TaskKey>& tasks) {
  std::string text;
  for (const TaskKey& task : tasks) text += format(" {}:{}", task.name, task.version);
  return text;
}
std::string into(const std::string& queue, const std::string& worker) {
  return worker.empty() ? queue : "queue of " + worker;
}
std::string words(const WorkerReport& report) {
  std::string text =
      format("{} threads={} credit={}", report.worker, report.threads, report.credit);
  if (report.draining) text += " draining";
  if (report.leaving) text += " leaving";
  text += format(" done={} failed={} refused={} returned={} knows{}", report.done, report.failed,
                 report.refused, report.returned, keys(report.tasks));
  text += " pulls";
  for (const std::string& queue : report.queues) text += " " + queue;
  text += " has";
  for (const LeasedChunk& held : report.held) {
    text += format(" {}.{}.{}{}", held.job, held.index, held.epoch,
                   held.running > Duration{} ? "*" : "");
  }
  return text;
}

}  // namespace

namespace {

// ---- A master's events
std::string words(const JobBegun& x) { return "job " + x.job; }
std::string words(const JobEnded& x) { return "end " + x.job; }
std::string words(const SourceGrew& x) { return "more " + x.job; }
std::string words(const SourceEmpty& x) { return "empty " + x.job; }
std::string words(const ChunkTaken& x) { return "taken " + name(*x.order); }
std::string words(const ChunkStored& x) {
  return format("stored {}.{} as {}", name(x.chunk), x.epoch, x.number);
}
std::string words(const ChunkNotStored& x) {
  return (x.refused ? "full " : "not-stored ") + name(x.chunk) + (x.why.empty() ? "" : " " + x.why);
}
std::string words(const ChunkTooLarge& x) { return "too-large " + name(x.chunk); }
std::string words(const BeaconStored& x) {
  return format("beacon-stored {} {}", x.worker, x.number);
}
std::string words(const ChunkFound& x) {
  return format("found {} {}", name(x.chunk),
                x.state == MessageState::queued
                    ? format("queued {}, done to {}, {} waiting, {} in hand", x.number,
                             x.queue.done_to, x.queue.waiting, x.queue.in_hand)
                : x.state == MessageState::absent ? "absent"
                                                  : "gone");
}
std::string words(const MessageGivenUp& x) { return format("given-up {}", x.number); }
std::string words(const MessageRead& x) {
  return format("read {} {}", x.number, x.order ? name(*x.order) : "nothing");
}
std::string words(const JobSwept& x) {
  return format("swept {} {}", x.job, x.swept ? "yes" : "no");
}
std::string words(const OwnQueueMade& x) {
  return format("own-queue {} {}", x.worker, x.made ? "made" : "not made");
}
std::string words(const MasterDisconnected& x) { return (x.shut ? "shut " : "lost ") + x.why.what; }
std::string words(const MasterReconnected&) { return "reconnected"; }
std::string words(const TroubleCame& x) { return "trouble " + x.error.what; }
std::string words(const ResultCame& x) {
  return format("result {}.{}.{} {} from {}", x.result.job, x.result.index, x.result.epoch,
                name(x.result.outcome), x.result.worker);
}
std::string words(const ReportCame& x) { return "report " + words(x.report); }
std::string words(const BeaconAnswered& x) {
  return format("beacon {} {} queued={} done={}", x.answer.worker, x.answer.number, x.answer.queued,
                x.answer.done);
}
std::string words(const MasterTick&) { return "tick"; }

// ---- A master's actions
std::string words(const TakeChunks& x) { return format("take {} of {}", x.count, x.job); }
std::string words(const FinishChunk& x) {
  return format("finish {}.{} {}", x.result.job, x.result.index, name(x.result.outcome));
}
std::string words(const FailChunk& x) { return format("fail {}: {}", name(x.chunk), x.error.what); }
std::string words(const GiveUpChunk& x) {
  return format("give-up {} after {}: {}", name(x.chunk), x.attempts, x.error.what);
}
std::string words(const SendChunk& x) {
  return format("send {} to {}{}", name(*x.order), into(x.queue, x.worker),
                x.urgent ? "" : " soon");
}
std::string words(const LookUpChunk& x) {
  return format("look-up {} in {}", name(x.chunk), into(x.queue, x.worker));
}
std::string words(const MakeQueue& x) { return (x.anew ? "make-anew " : "make ") + x.queue; }
std::string words(const MakeOwnQueue& x) { return "make-own " + x.worker; }
std::string words(const DropOwnQueue& x) { return "drop-own " + x.worker; }
std::string words(const EraseMessage& x) { return format("erase {}", x.number); }
std::string words(const SweepJob& x) { return "sweep " + x.job; }
std::string words(const ReadMessage& x) { return format("read {}", x.number); }
std::string words(const BuryLetter& x) {
  return format("bury {}, erase {}", name(x.letter.order), x.number);
}
std::string words(const CallQueue& x) {
  return x.call.queue.empty() ? "call own"
                              : format("call {} for{}", x.call.queue, keys(x.call.tasks));
}
std::string words(const SendBeacon& x) { return format("beacon {} to {}", x.number, x.worker); }

// ---- A worker's events
std::string words(const ChunkCame& x) {
  return format("chunk {} {} from {}, delivery {}", x.ack, name(*x.order), x.queue, x.delivery);
}
std::string words(const UnreadableCame& x) {
  return format("unreadable {} from {}", x.ack, x.queue);
}
std::string words(const BeaconCame& x) {
  return format("beacon {} {} from {}", x.ack, x.beacon.number, x.queue);
}
std::string words(const PullEnded& x) { return format("pull-ended {} {}", x.subject, x.status); }
std::string words(const QueueLookedUp& x) {
  return format("queue {} {}", x.queue, x.there ? "there" : "missing");
}
std::string words(const Discovered& x) { return "who " + x.reply; }
std::string words(const ForgedCame&) { return "forged"; }
std::string words(const QueueCalled& x) {
  return x.call.queue.empty() ? "called own"
                              : format("called {} for{}", x.call.queue, keys(x.call.tasks));
}
std::string words(const ThreadReady& x) { return format("ready {}", x.lease); }
std::string words(const NotPosted& x) { return format("not-posted {}", x.lease); }
std::string words(const ChunkWorked& x) {
  return format("worked {} {} {}", x.lease, name(x.outcome), format_duration(x.worked));
}
std::string words(const WorkerReconnected&) { return "reconnected"; }
std::string words(const DrainWanted&) { return "drain"; }
std::string words(const EndWanted&) { return "end"; }
std::string words(const WorkerTick&) { return "tick"; }

// ---- A worker's actions
std::string words(const Pull& x) {
  return format("pull {} of {} to {}", x.batch, x.queue, x.reply);
}
std::string words(const LookUpQueue& x) { return "look-up " + x.queue; }
std::string words(const TellServer& x) { return format("tell {} {}", x.ack, x.word); }
std::string words(const PostLease& x) { return format("post {}", x.lease); }
std::string words(const RunChunk& x) { return format("run {} {}", x.lease, name(*x.order)); }
std::string words(const AnswerChunk& x) {
  return format("answer {}, tell {} {}{}", name(*x.order), x.ack, x.word,
                x.together ? " together" : "");
}
std::string words(const BuryChunk& x) { return "bury " + name(x.letter.order); }
std::string words(const AnswerBeacon& x) {
  return format("answer-beacon {} queued={} done={}", x.answer.number, x.answer.queued,
                x.answer.done);
}
std::string words(const SendReport& x) {
  return format("report{} {}", x.reply.empty() ? "" : " to " + x.reply, words(x.report));
}
std::string words(const TellProblem& x) { return "problem " + x.error.what; }
std::string words(const WorkerLeft&) { return "left"; }

template <class Variant>
std::string words_of(const Variant& one) {
  return std::visit([](const auto& x) { return words(x); }, one);
}

}  // namespace

std::string in_words(const MasterEvent& event) { return words_of(event); }
std::string in_words(const MasterAction& action) { return words_of(action); }
std::string in_words(const WorkerEvent& event) { return words_of(event); }
std::string in_words(const WorkerAction& action) { return words_of(action); }

}  // namespace artel::cluster
