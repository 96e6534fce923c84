#include "artel/cluster/protocol/detail/master_job.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/detail/master_shared.hpp"
#include "artel/cluster/protocol/detail/outstanding_chunks.hpp"
#include "artel/cluster/protocol/detail/roster.hpp"
#include "artel/cluster/protocol/job_counts.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {
namespace {

constexpr std::size_t kOutMin = 2;        // chunks, while no worker is there
constexpr unsigned kRefusalsMax = 50;     // of a chunk, while there is a worker who knows the task
constexpr std::size_t kOutPerCredit = 2;  // one in hand, one that waits at the server
// Of the shortest, that a worker has in hand besides: done before the master could send another.
constexpr std::size_t kOutPerShort = 4;

std::size_t out_max(const Roster::Strength& strength) {
  const std::size_t usual = std::min(strength.threads + strength.workers, strength.credit);
  return kOutPerCredit * usual + kOutPerShort * (strength.credit - usual);
}

OutstandingChunks::Rules rules_of(const QueueOptions& options) {
  return {.patience = options.patience,
          .speculation = options.speculation,
          .speculation_min = options.speculation_min};
}

}  // namespace

MasterJob::MasterJob(MasterShared& shared, std::string id)
    : shared_(shared),
      id_(std::move(id)),
      chunks_(rules_of(shared.options)),
      trials_(shared.options.tries),
      health_(shared.options, shared.now) {}

bool MasterJob::end() {
  for (const std::uint64_t one : chunks_.indices()) {
    erase_copies(*chunks_.find(one));
    if (shared_.own) shared_.own->places().let_go({id_, one}, shared_.now);
  }
  return doubted_;
}

JobCounts MasterJob::counts() const {
  JobCounts counts = counts_;
  counts.chunks = chunks_.counts();
  return counts;
}

// ---- Its source

void MasterJob::on(const SourceGrew& /*event*/) {
  source_may_have_more_ = true;
  ask_for_more();
}

void MasterJob::on(const SourceEmpty& /*event*/) {
  source_may_have_more_ = false;
  asked_ = 0;
}

// Of what waits at the server, half is there still when it is time to send more, some together.
// Workers with queues of their own get each when there is room.
void MasterJob::ask_for_more() {
  if (!source_may_have_more_ || trials_.under_way()) return;
  const std::size_t most = tasks_.empty() ? kOutMin : std::max(view().out_max, kOutMin);
  const std::size_t together = shared_.own ? 1 : std::max<std::size_t>(1, most / 4);
  const std::size_t busy = chunks_.out() + held_back_.size() + asked_;
  if (busy + together > most) return;
  asked_ += most - busy;
  shared_.act(TakeChunks{id_, most - busy});
}

// ---- Workers

const WorkersView& MasterJob::view() {
  if (view_) return *view_;
  const Roster& roster = shared_.roster;
  const Roster::Strength strength = roster.strength(tasks_);
  WorkersView& view = view_.emplace(WorkersView{
      .credit = strength.credit, .out_max = out_max(strength), .anybody = !roster.empty()});
  if (shared_.own) {
    view.credit = strength.threads + strength.workers * (shared_.options.per_worker - 1);
    view.out_max = view.credit;
  }
  for (const TaskKey& task : tasks_) {
    view.known = roster.check_task(task);
    if (!view.known) break;
  }
  return view;
}

void MasterJob::workers_changed() {
  view_.reset();
  ask_for_more();
}

void MasterJob::mentioned(std::uint64_t index) {
  chunks_.seen(index, shared_.now);
  health_.moves(shared_.now);
}

void MasterJob::left(std::uint64_t index, bool working) {
  Chunk* const chunk = chunks_.find(index);
  if (chunk == nullptr) return;
  chunk->worker.clear();
  doubted_ = chunk->unacknowledged = true;
  if (working) return;
  erase_copies(*chunk);
  reissue(index);
}

bool MasterJob::is_pulled_by(const WorkerReport& report) const {
  return queue_.empty() || std::ranges::find(report.queues, queue_) != report.queues.end();
}

void MasterJob::call_workers() {
  if (queue_.empty() || !shared_.roster.anybody_missing(tasks_, queue_)) return;
  shared_.act(CallQueue{{queue_, tasks_}});
}

// ---- Sending

void MasterJob::on(ChunkTaken& event) {
  if (asked_ > 0) --asked_;
  event.order->reply = shared_.reply;
  event.order->lease = shared_.options.lease;
  event.order->tries = shared_.options.tries;
  event.order->needs = shared_.options.needs;
  if (trials_.under_way()) {
    held_back_.push_back(std::move(event.order));
  } else {
    send(std::move(event.order));
  }
}

// It says for whom the job is.
void MasterJob::begin_queue(const ChunkOrder& order) {
  for (const std::optional<TaskKey>* task : {&order.map, &order.fold}) {
    if (*task) tasks_.push_back(**task);
  }
  for (const std::string& tag : order.needs) tasks_.push_back(tag_key(tag));
  queue_ = Subjects::queue_of(order.map, order.fold, order.needs);
  view_.reset();
  shared_.act(MakeQueue{queue_});
  call_workers();
}

void MasterJob::send(std::shared_ptr<const ChunkOrder> order) {
  const bool first = queue_.empty();
  if (first) begin_queue(*order);
  std::string worker;
  std::optional<Error> failure;
  if (order->retries > ChunkOrder::kRetriesMax) {
    failure = Error{ErrorCode::invalid,
                    fmt::format("retries is {}; at most {} on a cluster", order->retries,
                                ChunkOrder::kRetriesMax),
                    ""};
  }
  if (shared_.own) {
    const Duration expected = item_time_.get() * order->count;
    try {
      worker = shared_.own->places().place({id_, order->index}, expected, shared_.now).value_or("");
    } catch (const std::exception& thrown) {  // by a policy of the user's
      failure = Error{ErrorCode::invalid, fmt::format("dispatch policy: {}", thrown.what()), ""};
    }
  }
  if (chunks_.out() == 0) health_.moves(shared_.now);
  chunks_.issued(order->index, shared_.now, order, worker);
  if (failure) return fail(order->index, *std::move(failure));
  counts_.out_max = std::max(counts_.out_max, chunks_.out());
  // What is out already keeps the workers busy for longer than that.
  const bool urgent = shared_.own || 2 * chunks_.out() <= view().out_max;
  shared_.act(SendChunk{std::move(order), queue_, std::move(worker), urgent});
  health_.asked(shared_.now);
  if (first) ask_for_more();
}

// Into the shared queue.
void MasterJob::send_copy(std::uint64_t index, std::uint32_t epoch) {
  Chunk* const chunk = chunks_.find(index);
  if (chunk == nullptr) return;
  auto next = std::make_shared<ChunkOrder>(*chunk->order);
  next->epoch = epoch;
  chunk->order = std::move(next);
  doubted_ = true;
  shared_.act(SendChunk{chunk->order, queue_, "", true});
  health_.asked(shared_.now);
}

void MasterJob::reissue(std::uint64_t index) {
  const auto epoch = chunks_.reissue(index, shared_.now);
  if (!epoch) return;
  chunks_.find(index)->worker.clear();
  if (shared_.own) shared_.own->places().let_go({id_, index}, shared_.now);
  send_copy(index, *epoch);
}

void MasterJob::on(const ChunkStored& event) {
  health_.stored();
  Chunk* const chunk = chunks_.find(event.chunk.index);
  if (chunk == nullptr) {
    // Its result has overtaken this; a first copy is what that is of.
    if (event.epoch > 0) shared_.act(EraseMessage{event.number});
  } else if (trials_.waits(event.chunk.index)) {
    shared_.act(EraseMessage{event.number});
  } else {
    chunk->add_copy(event.number);
  }
}

void MasterJob::on(const ChunkNotStored& event) {
  health_.not_stored(event);
  chunks_.not_sent(event.chunk.index, shared_.now);
}

void MasterJob::on(const ChunkTooLarge& event) {
  if (!take_off(event.chunk.index, Acknowledged::no)) return;
  shared_.act(GiveUpChunk{event.chunk, 0, event.error});
  ask_for_more();
}

// ---- How chunks end

void MasterJob::erase_copies(Chunk& chunk) {
  for (const std::uint64_t number : std::exchange(chunk.stored, {}))
    shared_.act(EraseMessage{number});
}

// The chunk is not out any more; without a result, no worker acknowledges it. Nor can anybody in
// the queue of a worker that leaves, which other masters drop. False: it was not out.
bool MasterJob::take_off(std::uint64_t index, Acknowledged acknowledged) {
  if (Chunk* const chunk = chunks_.find(index)) {
    const bool nobody = acknowledged == Acknowledged::no;
    doubted_ = doubted_ || nobody;  // there may be numbers that come late
    const bool dropped = !chunk->worker.empty() && !shared_.roster.stays(chunk->worker);
    if (nobody || chunk->epoch > 0 || chunk->unacknowledged || dropped) erase_copies(*chunk);
  }
  if (chunks_.arrived(index, shared_.now) == OutstandingChunks::ResultKind::duplicate) return false;
  if (shared_.own) shared_.own->places().let_go({id_, index}, shared_.now);
  return true;
}

void MasterJob::on(ResultCame& event) {
  ChunkResult& result = event.result;
  health_.moves(shared_.now);
  if (result.outcome == ChunkOutcome::refused) return refused(result);
  if (shared_.own) shared_.own->places().answered({id_, result.index}, shared_.now);
  if (!take_off(result.index, Acknowledged::yes)) return;
  if (result.count > 0) item_time_.add(result.worked / result.count);
  shared_.act(FinishChunk{std::move(result)});
  ask_for_more();
}

// Until somebody is known to do it, time decides: see JobHealth::check_workers().
void MasterJob::refused(const ChunkResult& result) {
  ++counts_.refused;
  Chunk* const chunk = chunks_.find(result.index);
  if (chunk == nullptr) return;
  if (!view().known || ++chunk->refusals <= kRefusalsMax) {
    return chunks_.not_sent(result.index, shared_.now);
  }
  fail(result.index,
       {ErrorCode::unsupported,
        fmt::format("worker {} refuses chunk {}: {}", result.worker, result.index,
                    result.problems.empty() ? "it does not say why" : result.problems.back().what),
        ""});
}

void MasterJob::fail(std::uint64_t index, Error error) {
  if (!take_off(index, Acknowledged::no)) return;
  shared_.act(FailChunk{{id_, index}, std::move(error)});
  ask_for_more();
}

void MasterJob::fail_all(const std::optional<Error>& error) {
  if (!error) return;
  for (const std::uint64_t index : chunks_.indices()) fail(index, *error);
}

}  // namespace artel::cluster::detail
