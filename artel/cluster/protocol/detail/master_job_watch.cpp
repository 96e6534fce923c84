// How a job looks after the chunks that are out: what is lost is issued again, what is slow a
// second time, what kills its workers is given up.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/detail/master_job.hpp"
#include "artel/cluster/protocol/detail/master_shared.hpp"
#include "artel/cluster/protocol/detail/outstanding_chunks.hpp"
#include "artel/cluster/protocol/detail/suspect_trials.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {
namespace {

constexpr std::size_t kLooksPerTick = 64;                        // chunks
constexpr Duration kMakePause = std::chrono::milliseconds(100);  // many are absent at a time

}  // namespace

void MasterJob::watch(Duration passed) {
  const Instant now = shared_.now;
  trials_.wait(chunks_, now);
  for (const std::uint64_t index : chunks_.due(now, kLooksPerTick)) look_for(index);
  // What workers acknowledge while the queue is silent may be lost, too.
  doubted_ = doubted_ || health_.silent_for(now) >= shared_.options.patience;
  if (out() > 0 && health_.asks_again(now)) {  // before its silence counts
    const std::uint64_t first = chunks_.indices().front();
    chunks_.seen(first, now);
    look_for(first);
  }
  next_suspect();
  fail_all(health_.check_workers(out(), view(), shared_.link, now));
  fail_all(health_.check_queue({.out = out(),
                                .credit = view().credit,
                                .idle = shared_.roster.anybody_idle(tasks_, Instant::min()),
                                .passed = passed},
                               shared_.link, now));
  if (source_may_have_more_ || out() >= view().credit) return;  // all are busy
  if (const auto copy = chunks_.speculate(now)) send_copy(copy->index, copy->epoch);
}

void MasterJob::look_for(std::uint64_t index) {
  const Chunk& chunk = *chunks_.find(index);
  if (!chunk.worker.empty() && !shared_.own->places().has(chunk.worker)) return reissue(index);
  shared_.act(LookUpChunk{{id_, index}, queue_, chunk.worker});
  health_.asked(shared_.now);
}

void MasterJob::on(const ChunkFound& event) {
  health_.found(event);
  const Instant now = shared_.now;
  const std::uint64_t index = event.chunk.index;
  Chunk* const chunk = chunks_.find(index);
  if (chunk == nullptr || trials_.waits(index)) return;
  switch (event.state) {
    case MessageState::queued:
      chunk->add_copy(event.number);
      if (!is_passed_over(*chunk, event)) return;
      erase_copies(*chunk);
      mend_queue(*chunk, event);
      return reissue(index);
    case MessageState::gone:
      shared_.act(MakeQueue{queue_});
      chunks_.doubt_all(now);
      return reissue(index);
    case MessageState::absent:
      // The server may have lost the queue as well, and another master has made the stream anew.
      if (now >= make_again_) {
        make_again_ = later(now, kMakePause);
        shared_.act(MakeQueue{queue_});
      }
      return reissue(index);
  }
}

// The server keeps it, and will give it to nobody: its place in the queue was lost with a consumer
// that was moved or made anew, or when the server was killed. If others are in somebody's hands,
// that is certain only when workers have nothing to do for longer than all its tries can take.
bool MasterJob::is_passed_over(const Chunk& chunk, const ChunkFound& found) const {
  const QueueState& queue = found.queue;
  if (found.number <= queue.done_to || queue.waiting + queue.in_hand == 0) return true;
  const Instant since = later(chunk.sent, shared_.options.lease * (shared_.options.tries + 1));
  if (chunk.worker.empty()) return shared_.roster.anybody_idle(tasks_, since);
  return shared_.roster.is_idle(chunk.worker, since);
}

// A server that was killed may have lost the end of the stream, and count anew from there, while a
// consumer knows all up to higher numbers to be done: it would give nobody what is issued again,
// either, so it is made anew. (For a moment a chunk that has just ended looks alike; but then
// others come to their ends as well.) Seen with nats-server 2.9.
void MasterJob::mend_queue(const Chunk& chunk, const ChunkFound& found) {
  const bool is_ahead = found.number <= found.queue.done_to &&
                        health_.still_for(shared_.now) >= shared_.options.patience &&
                        shared_.roster.strength(tasks_).credit > 0;
  if (is_ahead && !chunk.worker.empty()) return shared_.own->make_anew(chunk.worker);
  shared_.act(MakeQueue{queue_, is_ahead});
}

// ---- The connection

void MasterJob::disconnected() {
  if (out() > 0) health_.awaits(shared_.now);
}

// Nothing is looked for meanwhile, and no worker can be heard.
void MasterJob::check_connection() {
  if (out() > 0) fail_all(health_.check_connection(shared_.link, shared_.now));
}

void MasterJob::reconnected(Duration gone) {
  chunks_.doubt_all(shared_.now);
  doubted_ = true;
  health_.did_not_listen(gone, shared_.now);
  if (!queue_.empty()) shared_.act(MakeQueue{queue_});  // should the server have lost it
}

// ---- What kills its workers

void MasterJob::on(const MessageRead& event) {
  using Suspicion = SuspectTrials::Suspicion;
  const ChunkOrder& order = *event.order;
  const Instant now = shared_.now;
  Chunk* const chunk = chunks_.find(order.index);
  health_.answered();
  health_.moves(now);
  if (chunk == nullptr) return shared_.act(EraseMessage{event.number});
  std::erase(chunk->stored, event.number);
  const Suspicion verdict = trials_.given_up(order.index, order.epoch);
  if (verdict != Suspicion::guilty) shared_.act(EraseMessage{event.number});
  if (verdict == Suspicion::suspect) {
    ++counts_.suspect;
    erase_copies(*chunk);
  }
  if (verdict == Suspicion::again) {
    trials_.begun(chunk->epoch + 1);
    chunks_.not_sent(order.index, now);
  }
  if (verdict != Suspicion::guilty) return;
  ++counts_.dead;
  const unsigned tries = shared_.options.tries;
  const unsigned attempts = tries + std::max(tries, 2U);
  const std::string reason =
      fmt::format("every worker that had it was lost, {} times in all", attempts);
  shared_.act(BuryLetter{{reason, "", order}, event.number});
  if (!take_off(order.index, Acknowledged::no)) return;
  shared_.act(GiveUpChunk{{id_, order.index},
                          attempts,
                          {ErrorCode::closed, reason + "; it is kept: artel cluster dead",
                           fmt::format("chunk {} (items {} to {})", order.index, order.first,
                                       order.first + order.count - 1)}});
}

void MasterJob::next_suspect() {
  const auto change = trials_.next(chunks_);
  if (change.to_try) {
    trials_.begun(chunks_.find(*change.to_try)->epoch + 1);
    chunks_.not_sent(*change.to_try, shared_.now);  // when nothing of it is there any more
  }
  if (!change.over) return;
  for (auto& order : std::exchange(held_back_, {})) send(std::move(order));
  ask_for_more();
}

}  // namespace artel::cluster::detail
