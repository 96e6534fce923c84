// How a Master looks after the chunks that are out: what is lost is issued again, what is slow a
// second time, what kills its workers is given up.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/detail/master_job.hpp"
#include "artel/cluster/protocol/detail/outstanding_chunks.hpp"
#include "artel/cluster/protocol/detail/suspect_trials.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/master_machine.hpp"
#include "artel/cluster/protocol/tell_problem.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {
namespace {

constexpr Duration kSilencePerTick = std::chrono::milliseconds(500);  // of a worker, at most
constexpr std::size_t kLooksPerTick = 64;                             // chunks
// A task that nobody knows, although there are workers: five of the reports that each sends.
constexpr Duration kUnknownMax = std::chrono::seconds(5);
constexpr Duration kMakePause = std::chrono::milliseconds(100);  // many are absent at a time
constexpr Duration kSweepAgain = std::chrono::seconds(5);        // longer than a request may take
constexpr Duration kTellAgain = std::chrono::minutes(1);         // trouble of one kind

// What the queue says of a chunk, for people.
std::string in_words(const ChunkFound& found) {
  const QueueState& queue = found.queue;
  switch (found.state) {
    case MessageState::absent:
      return fmt::format("it does not have chunk {}", found.chunk.index);
    case MessageState::gone:
      return "there is no stream";
    case MessageState::queued:
      break;
  }
  if (queue.waiting + queue.in_hand + queue.done_to == 0)
    return fmt::format("it has chunk {}, but no consumer", found.chunk.index);
  return fmt::format(
      "it says that chunk {} is message {}, {} wait, {} are at workers, all up to {} "
      "are done",
      found.chunk.index, found.number, queue.waiting, queue.in_hand, queue.done_to);
}

}  // namespace

void MasterMachine::on(const MasterTick& /*event*/) {
  const Duration passed = now_ - std::exchange(ticked_, now_).value_or(now_);
  if (passed > options_.queue.patience) did_not_run(passed);
  if (passed > kSilencePerTick) roster_.did_not_listen(passed - kSilencePerTick, now_);
  if (disconnected_) {
    for (auto& [id, job] : jobs_) check_connection(job, *disconnected_);
    return;
  }
  if (roster_.forget_silent(now_)) workers_changed();
  if (own_) tend_own_queues();
  if (std::exchange(call_due_, false)) call_queues();
  for (auto& [id, job] : jobs_) watch(job, passed);
  sweep();
}

// What was told to the server while it did not listen is told again.
void MasterMachine::sweep() {
  for (auto& [job, at] : to_sweep_) {
    if (now_ < at) continue;
    at = later(now_, kSweepAgain);
    act(SweepJob{job});
  }
}

void MasterMachine::on(const JobSwept& event) {
  if (event.swept) to_sweep_.erase(event.job);
}

void MasterMachine::watch(detail::MasterJob& job, Duration passed) {
  job.trials.wait(job.chunks, now_);
  for (const std::uint64_t index : job.chunks.due(now_, kLooksPerTick)) look_for(job, index);
  probe(job);
  next_suspect(job);
  check_workers(job);
  check_progress(job, passed);
  speculate(job);
}

void MasterMachine::asked(detail::MasterJob& job) const {
  job.asked_at = now_;
  if (!job.unanswered_since) job.unanswered_since = now_;
}

// An answer may be lost while workers mention every chunk, so that none is due: the queue is asked
// again before its silence counts.
void MasterMachine::probe(detail::MasterJob& job) {
  if (!job.unanswered_since) return;
  // What workers acknowledge meanwhile may be lost, too.
  job.doubted = job.doubted || now_ - *job.unanswered_since >= options_.queue.patience;
  if (now_ - job.asked_at < options_.queue.patience) return;
  const auto out = job.chunks.indices();
  if (out.empty()) return;
  job.chunks.seen(out.front(), now_);
  look_for(job, out.front());
}

// This process was stopped: what has come meanwhile is read after the first tick.
void MasterMachine::did_not_run(Duration time) {
  disconnected_at_ = std::min(now_, disconnected_at_ + time);
  for (auto& [id, job] : jobs_) {
    does_not_count(job, time);
    if (job.unanswered_since) job.unanswered_since = std::min(now_, *job.unanswered_since + time);
  }
}

// Nor what came within it: nothing has moved later than now.
void MasterMachine::does_not_count(detail::MasterJob& job, Duration time) const {
  job.moved = std::min(now_, job.moved + time);
  if (job.deserted_since) *job.deserted_since += time;
}

void MasterMachine::look_for(detail::MasterJob& job, std::uint64_t index) {
  const detail::OutstandingChunks::Chunk& chunk = *job.chunks.find(index);
  if (!chunk.worker.empty() && !own_->has(chunk.worker)) return reissue(job, index);
  act(LookUpChunk{{job.id, index}, job.queue, chunk.worker});
  asked(job);
}

void MasterMachine::on(const ChunkFound& event) {
  detail::MasterJob* const job = find(event.chunk.job);
  if (job == nullptr) return;
  answered(*job);
  job->said = in_words(event);
  detail::OutstandingChunks::Chunk* const chunk = job->chunks.find(event.chunk.index);
  if (chunk == nullptr || job->trials.waits(event.chunk.index)) return;
  switch (event.state) {
    case MessageState::queued:
      if (std::ranges::find(chunk->stored, event.number) == chunk->stored.end()) {
        chunk->stored.push_back(event.number);
      }
      if (!is_passed_over(*job, event)) return;
      erase_copies(*chunk);
      if (is_ahead(*job, event)) {
        make_anew(*job, *chunk);
      } else {
        act(MakeQueue{job->queue});
      }
      return reissue(*job, event.chunk.index);
    case MessageState::gone:
      act(MakeQueue{job->queue});
      job->chunks.doubt_all(now_);
      return reissue(*job, event.chunk.index);
    case MessageState::absent:
      // The server may have lost the queue as well, and another master has made the stream anew.
      if (now_ >= job->make_again) {
        job->make_again = later(now_, kMakePause);
        act(MakeQueue{job->queue});
      }
      return reissue(*job, event.chunk.index);
  }
}

// The server keeps it, and will give it to nobody: its place in the queue was lost with a consumer
// that was moved or made anew, or when the server was killed. If others are in somebody's hands,
// that is certain only when workers have nothing to do for longer than all its tries can take.
bool MasterMachine::is_passed_over(const detail::MasterJob& job, const ChunkFound& found) const {
  const QueueState& queue = found.queue;
  if (found.number <= queue.done_to || queue.waiting + queue.in_hand == 0) return true;
  const detail::OutstandingChunks::Chunk& chunk = *job.chunks.find(found.chunk.index);
  const Instant since = later(chunk.sent, options_.queue.lease * (options_.queue.tries + 1));
  if (chunk.worker.empty()) return roster_.anybody_idle(job.tasks, since);
  return roster_.is_idle(chunk.worker, since);
}

// A server that was killed may have lost the end of the stream, and count anew from there, while a
// consumer knows all up to higher numbers to be done: it would give nobody what is issued again,
// either. (For a moment a chunk that has just ended looks alike; but then others come to their ends
// as well.) Seen with nats-server 2.9.
bool MasterMachine::is_ahead(const detail::MasterJob& job, const ChunkFound& found) const {
  return found.number <= found.queue.done_to && now_ - job.moved >= options_.queue.patience &&
         roster_.strength(job.tasks).credit > 0;
}

void MasterMachine::make_anew(const detail::MasterJob& job,
                              const detail::OutstandingChunks::Chunk& chunk) {
  if (chunk.worker.empty()) return act(MakeQueue{job.queue, true});
  if (!being_made_.insert(chunk.worker).second) return;
  act(DropOwnQueue{chunk.worker});
  act(MakeOwnQueue{chunk.worker});
}

void MasterMachine::on(const MasterDisconnected& event) {
  if (!disconnected_) disconnected_at_ = now_;
  disconnected_ = event;
  for (auto& [id, job] : jobs_) {
    if (job.chunks.out() > 0 && !job.unanswered_since) job.unanswered_since = now_;
  }
  act(TellProblem{event.why});
}

// No worker could be heard meanwhile, nor be seen to wait: that time does not count for or against
// them. Of the queue it does, or a connection that breaks time and again would put off the end.
void MasterMachine::on(const MasterReconnected& /*event*/) {
  const Duration gone = disconnected_ ? now_ - disconnected_at_ : Duration{};
  disconnected_.reset();
  roster_.did_not_listen(gone, now_);
  own_lost_ = own_ != nullptr;
  for (auto& [id, job] : jobs_) {
    job.chunks.doubt_all(now_);
    job.doubted = true;
    does_not_count(job, gone);
    if (!job.queue.empty()) act(MakeQueue{job.queue});  // should the server have lost it
  }
}

void MasterMachine::speculate(detail::MasterJob& job) {
  if (job.source_may_have_more || job.chunks.out() >= view_of(job).credit) return;  // all are busy
  if (const auto copy = job.chunks.speculate(now_)) send_copy(job, copy->index, copy->epoch);
}

// A server that refuses every chunk says so for every one: it is told now and then.
void MasterMachine::on(const TroubleCame& event) {
  const bool told =
      trouble_ && trouble_->error.code == event.error.code && now_ - trouble_told_ < kTellAgain;
  trouble_ = event;
  trouble_at_ = now_;
  if (told) return;
  trouble_told_ = now_;
  act(TellProblem{event.error});
}

// ---- Nobody does it

// What went wrong last, if that was since then.
std::string MasterMachine::with_trouble(std::string what, Instant since) const {
  if (trouble_ && trouble_at_ >= since) what += ": " + trouble_->error.what;
  return what;
}

// Nothing is looked for meanwhile, and no worker can be heard.
void MasterMachine::check_connection(detail::MasterJob& job, const MasterDisconnected& lost) {
  if (job.chunks.out() == 0) return;
  if (lost.shut) return fail_all(job, lost.why);
  const Duration timeout = options_.queue.worker_timeout;
  const Instant since = std::max(disconnected_at_, job.begun);
  if (now_ - since <= timeout) return static_cast<void>(end_if_unanswered(job));
  fail_all(job,
           {ErrorCode::timeout,
            with_trouble(
                fmt::format("no connection to the server for {}", format_duration(timeout)), since),
            lost.why.where});
}

// However often the connection was there meanwhile. Returns whether that is so.
bool MasterMachine::end_if_unanswered(detail::MasterJob& job) {
  const Duration timeout = options_.queue.worker_timeout;
  if (timeout == kForever || !job.unanswered_since) return false;
  const Duration limit = timeout + 2 * options_.queue.patience;
  const Instant since = *job.unanswered_since;
  if (now_ - since <= limit) return false;
  fail_all(job, {ErrorCode::timeout,
                 with_trouble(fmt::format("the queue has said nothing for {}: look at JetStream on "
                                          "the server (artel cluster status)",
                                          format_duration(limit)),
                              since),
                 ""});
  return true;
}

// Workers answer a discovery one after the other, and may come later than the master: that none of
// those who are there knows the task means something only when it lasts.
void MasterMachine::check_workers(detail::MasterJob& job) {
  const detail::WorkersView& workers = view_of(job);
  if (job.chunks.out() == 0 || workers.credit > 0) return job.deserted_since.reset();
  if (!job.deserted_since) job.deserted_since = now_;
  const bool unknown = workers.anybody && !workers.known;
  const Duration timeout = options_.queue.worker_timeout;
  if (now_ - *job.deserted_since <= (unknown ? std::min(kUnknownMax, timeout) : timeout)) return;
  if (unknown) {
    Error error = workers.known.error();
    error.what += " (no worker can do it)";
    return fail_all(job, error);
  }
  const bool silent =
      job.unanswered_since && now_ - *job.unanswered_since > options_.queue.patience;
  fail_all(job, {ErrorCode::timeout,
                 with_trouble(fmt::format("no worker for {}{}", format_duration(timeout),
                                          silent ? ", and the queue does not answer: look at "
                                                   "JetStream on the server (artel cluster status)"
                                                 : ": start some (artel worker)"),
                              *job.deserted_since),
                 ""});
}

// Though there are workers. Whoever has chunks of it in hand, or anything else, keeps it waiting.
void MasterMachine::check_progress(detail::MasterJob& job, Duration passed) {
  const Duration timeout = options_.queue.worker_timeout;
  if (job.chunks.out() == 0 || timeout == kForever) {
    job.unanswered_since.reset();
    job.moved = now_;
    return;
  }
  if (end_if_unanswered(job)) return;
  if (view_of(job).credit == 0) {
    job.moved = std::min(now_, job.moved + passed);
    return;
  }
  const Duration limit = timeout + 2 * options_.queue.patience;
  if (!roster_.anybody_idle(job.tasks, Instant::min())) job.moved = now_;
  if (now_ - job.moved <= limit) return;
  const std::string said = job.said.empty() ? "" : fmt::format(" ({})", job.said);
  if (job.full) {
    return fail_all(job, {ErrorCode::full,
                          fmt::format("the queue has been full for {} of what no worker takes{}: "
                                      "artel cluster remove --force empties it",
                                      format_duration(limit), said),
                          ""});
  }
  fail_all(job, {ErrorCode::timeout,
                 fmt::format("the queue has given nothing to workers that wait for {}{}: look at "
                             "JetStream on the server (artel cluster status)",
                             format_duration(limit), said),
                 ""});
}

// ---- What kills its workers

void MasterMachine::on(const MessageGivenUp& event) { act(ReadMessage{event.number}); }

void MasterMachine::on(const MessageRead& event) {
  using Suspicion = detail::SuspectTrials::Suspicion;
  if (!event.order) return;
  const ChunkOrder& order = *event.order;
  detail::MasterJob* const job = find(order.job);
  if (job == nullptr) return;  // those of other masters are theirs
  detail::OutstandingChunks::Chunk* const chunk = job->chunks.find(order.index);
  answered(*job);
  job->moved = now_;
  if (chunk == nullptr) return act(EraseMessage{event.number});
  std::erase(chunk->stored, event.number);
  const Suspicion verdict = job->trials.given_up(order.index, order.epoch);
  if (verdict != Suspicion::guilty) act(EraseMessage{event.number});
  if (verdict == Suspicion::suspect) {
    ++job->counts.suspect;
    erase_copies(*chunk);
  }
  if (verdict == Suspicion::again) {
    job->trials.begun(chunk->epoch + 1);
    job->chunks.not_sent(order.index, now_);
  }
  if (verdict != Suspicion::guilty) return;
  ++job->counts.dead;
  const unsigned attempts = options_.queue.tries + std::max(options_.queue.tries, 2U);
  const std::string reason =
      fmt::format("every worker that had it was lost, {} times in all", attempts);
  act(BuryLetter{{reason, "", order}, event.number});
  if (!take_off(*job, order.index, Acknowledged::no)) return;
  act(GiveUpChunk{{job->id, order.index},
                  attempts,
                  {ErrorCode::closed, reason + "; it is kept: artel cluster dead",
                   fmt::format("chunk {} (items {} to {})", order.index, order.first,
                               order.first + order.count - 1)}});
}

void MasterMachine::next_suspect(detail::MasterJob& job) {
  const auto change = job.trials.next(job.chunks);
  if (change.to_try) {
    job.trials.begun(job.chunks.find(*change.to_try)->epoch + 1);
    job.chunks.not_sent(*change.to_try, now_);  // when nothing of it is there any more
  }
  if (!change.over) return;
  for (auto& order : std::exchange(job.held_back, {})) send(job, std::move(order));
  ask_for_more(job);
}

}  // namespace artel::cluster
