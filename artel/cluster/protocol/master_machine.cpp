#include "artel/cluster/protocol/master_machine.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/detail/master_job.hpp"
#include "artel/cluster/protocol/detail/outstanding_chunks.hpp"
#include "artel/cluster/protocol/detail/worker_queues.hpp"
#include "artel/cluster/protocol/job_counts.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {
namespace {

constexpr std::size_t kOutMin = 2;     // chunks, while no worker is there
constexpr unsigned kRefusalsMax = 50;  // of a chunk, while there is a worker who knows the task
constexpr Duration kTickMax = std::chrono::milliseconds(50);

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

JobCounts counts_of(const detail::MasterJob& job) {
  JobCounts counts = job.counts;
  counts.chunks = job.chunks.counts();
  return counts;
}

}  // namespace

MasterMachine::MasterMachine(Options options)
    : options_(std::move(options)),
      roster_(options_.signs),
      own_(options_.queue.dispatch
               ? std::make_unique<detail::WorkerQueues>(*options_.queue.dispatch,
                                                        options_.queue.per_worker, options_.seed)
               : nullptr) {}

MasterActions MasterMachine::step(MasterEvent event, Instant now) {
  now_ = now;
  std::visit([this](auto& one) { on(one); }, event);
  return std::exchange(actions_, {});
}

Duration MasterMachine::tick_every() const {
  const Duration tick = std::min(kTickMax, options_.queue.lease / 4);
  return own_ ? std::min(tick, own_->interval()) : tick;
}

JobCounts MasterMachine::counts() const {
  JobCounts sum = ended_;
  for (const auto& [id, job] : jobs_) add(sum, counts_of(job));
  return sum;
}

std::size_t MasterMachine::out() const {
  std::size_t sum = 0;
  for (const auto& [id, job] : jobs_) sum += job.chunks.out();
  return sum;
}

detail::MasterJob* MasterMachine::find(const std::string& job) {
  const auto at = jobs_.find(job);
  return at == jobs_.end() ? nullptr : &at->second;
}

// ---- Jobs and their sources

void MasterMachine::on(const JobBegun& event) {
  const auto [at, fresh] = jobs_.try_emplace(
      event.job, event.job,
      detail::OutstandingChunks::Rules{.patience = options_.queue.patience,
                                       .speculation = options_.queue.speculation,
                                       .speculation_min = options_.queue.speculation_min},
      options_.queue.tries, now_);
  if (fresh) ask_for_more(at->second);
}

void MasterMachine::on(const JobEnded& event) {
  detail::MasterJob* const job = find(event.job);
  if (job == nullptr) return;
  for (const std::uint64_t index : job->chunks.indices()) {
    erase_copies(*job->chunks.find(index));
    if (own_) own_->let_go({job->id, index}, now_);
  }
  if (job->doubted) to_sweep_.emplace(job->id, now_);
  add(ended_, counts_of(*job));
  jobs_.erase(event.job);
  sweep();
}

void MasterMachine::on(const SourceGrew& event) {
  detail::MasterJob* const job = find(event.job);
  if (job == nullptr) return;
  job->source_may_have_more = true;
  ask_for_more(*job);
}

void MasterMachine::on(const SourceEmpty& event) {
  detail::MasterJob* const job = find(event.job);
  if (job == nullptr) return;
  job->source_may_have_more = false;
  job->asked = 0;
}

// Of what waits at the server, half is there still when it is time to send more, some together.
// Workers with queues of their own get each when there is room.
void MasterMachine::ask_for_more(detail::MasterJob& job) {
  if (!job.source_may_have_more || job.trials.under_way()) return;
  const std::size_t most = job.tasks.empty() ? kOutMin : std::max(view_of(job).out_max, kOutMin);
  const std::size_t together = own_ ? 1 : std::max<std::size_t>(1, most / 4);
  const std::size_t busy = job.chunks.out() + job.held_back.size() + job.asked;
  if (busy + together > most) return;
  job.asked += most - busy;
  act(TakeChunks{job.id, most - busy});
}

// ---- Sending

void MasterMachine::on(ChunkTaken& event) {
  detail::MasterJob* const job = find(event.order->job);
  if (job == nullptr) return;
  if (job->asked > 0) --job->asked;
  event.order->reply = options_.reply;
  event.order->lease = options_.queue.lease;
  event.order->tries = options_.queue.tries;
  event.order->needs = options_.queue.needs;
  if (job->trials.under_way()) {
    job->held_back.push_back(std::move(event.order));
  } else {
    send(*job, std::move(event.order));
  }
}

// It says for whom the job is.
void MasterMachine::begin_queue(detail::MasterJob& job, const ChunkOrder& order) {
  for (const std::optional<TaskKey>* task : {&order.map, &order.fold}) {
    if (*task) job.tasks.push_back(**task);
  }
  for (const std::string& tag : order.needs) job.tasks.push_back(tag_key(tag));
  job.queue = Subjects::queue_of(order.map, order.fold, order.needs);
  job.view.reset();
  act(MakeQueue{job.queue});
  if (roster_.anybody_missing(job.tasks, job.queue)) act(CallQueue{{job.queue, job.tasks}});
}

void MasterMachine::send(detail::MasterJob& job, std::shared_ptr<const ChunkOrder> order) {
  const bool first = job.queue.empty();
  if (first) begin_queue(job, *order);
  std::string worker;
  std::optional<Error> failure;
  if (order->retries > ChunkOrder::kRetriesMax) {
    failure = Error{ErrorCode::invalid,
                    fmt::format("retries is {}; at most {} on a cluster", order->retries,
                                ChunkOrder::kRetriesMax),
                    ""};
  }
  if (own_) {
    const Duration expected = job.item_time.get() * order->count;
    try {
      worker = own_->place({job.id, order->index}, expected, now_).value_or("");
    } catch (const std::exception& thrown) {  // by a policy of the user's
      failure = Error{ErrorCode::invalid, fmt::format("dispatch policy: {}", thrown.what()), ""};
    }
  }
  if (job.chunks.out() == 0) job.moved = now_;
  job.chunks.issued(order->index, now_, order, worker);
  if (failure) return fail(job, order->index, *std::move(failure));
  job.counts.out_max = std::max(job.counts.out_max, job.chunks.out());
  // What is out already keeps the workers busy for longer than that.
  const bool urgent = own_ != nullptr || 2 * job.chunks.out() <= view_of(job).out_max;
  act(SendChunk{std::move(order), job.queue, std::move(worker), urgent});
  asked(job);
  if (first) ask_for_more(job);
}

// Into the shared queue.
void MasterMachine::send_copy(detail::MasterJob& job, std::uint64_t index, std::uint32_t epoch) {
  detail::OutstandingChunks::Chunk* const chunk = job.chunks.find(index);
  if (chunk == nullptr) return;
  auto next = std::make_shared<ChunkOrder>(*chunk->order);
  next->epoch = epoch;
  chunk->order = std::move(next);
  job.doubted = true;
  act(SendChunk{chunk->order, job.queue, "", true});
  asked(job);
}

void MasterMachine::reissue(detail::MasterJob& job, std::uint64_t index) {
  const auto epoch = job.chunks.reissue(index, now_);
  if (!epoch) return;
  job.chunks.find(index)->worker.clear();
  if (own_) own_->let_go({job.id, index}, now_);
  send_copy(job, index, *epoch);
}

void MasterMachine::on(const ChunkStored& event) {
  detail::MasterJob* const job = find(event.chunk.job);
  detail::OutstandingChunks::Chunk* const chunk =
      job != nullptr ? job->chunks.find(event.chunk.index) : nullptr;
  if (job != nullptr) {
    answered(*job);
    job->full = false;
  }
  if (chunk != nullptr && job->trials.waits(event.chunk.index)) {
    return act(EraseMessage{event.number});
  }
  if (chunk != nullptr) {
    if (std::ranges::find(chunk->stored, event.number) == chunk->stored.end()) {
      chunk->stored.push_back(event.number);
    }
    return;
  }
  // Its result has overtaken this; a first copy is what that is of.
  if (job == nullptr || event.epoch > 0) act(EraseMessage{event.number});
}

void MasterMachine::on(const ChunkNotStored& event) {
  detail::MasterJob* const job = find(event.chunk.job);
  if (job == nullptr) return;
  job->full = event.refused;
  if (event.refused) {
    answered(*job);
    job->said = event.why;
  }
  job->chunks.not_sent(event.chunk.index, now_);
}

void MasterMachine::on(const ChunkTooLarge& event) {
  detail::MasterJob* const job = find(event.chunk.job);
  if (job == nullptr || !take_off(*job, event.chunk.index, Acknowledged::no)) return;
  act(GiveUpChunk{event.chunk, 0, event.error});
  ask_for_more(*job);
}

// ---- How chunks end

void MasterMachine::erase_copies(detail::OutstandingChunks::Chunk& chunk) {
  for (const StoredNumber number : std::exchange(chunk.stored, {})) act(EraseMessage{number});
}

// The queue of a worker that leaves: other masters drop it, and nobody can acknowledge what is
// there.
bool MasterMachine::may_be_dropped(const std::string& worker) const {
  if (worker.empty()) return false;
  const WorkerReport* const report = roster_.find(worker);
  return report == nullptr || report->draining;
}

// The chunk is not out any more; without a result, no worker acknowledges it. False: it was not
// out.
bool MasterMachine::take_off(detail::MasterJob& job, std::uint64_t index,
                             Acknowledged acknowledged) {
  if (detail::OutstandingChunks::Chunk* const chunk = job.chunks.find(index)) {
    const bool nobody = acknowledged == Acknowledged::no;
    job.doubted = job.doubted || nobody;  // there may be numbers that come late
    if (nobody || chunk->epoch > 0 || chunk->unacknowledged || may_be_dropped(chunk->worker))
      erase_copies(*chunk);
  }
  if (job.chunks.arrived(index, now_) == detail::OutstandingChunks::ResultKind::duplicate)
    return false;
  if (own_) own_->let_go({job.id, index}, now_);
  return true;
}

void MasterMachine::on(ResultCame& event) {
  ChunkResult& result = event.result;
  detail::MasterJob* const job = find(result.job);
  if (job == nullptr) return;
  job->moved = now_;
  if (result.outcome == ChunkOutcome::refused) return refused(*job, result);
  if (own_) own_->answered({job->id, result.index}, now_);
  if (!take_off(*job, result.index, Acknowledged::yes)) return;
  if (result.count > 0) job->item_time.add(result.worked / result.count);
  act(FinishChunk{std::move(result)});
  ask_for_more(*job);
}

// Until somebody is known to do it, time decides: see check_workers().
void MasterMachine::refused(detail::MasterJob& job, const ChunkResult& result) {
  ++job.counts.refused;
  detail::OutstandingChunks::Chunk* const chunk = job.chunks.find(result.index);
  if (chunk == nullptr) return;
  if (!view_of(job).known || ++chunk->refusals <= kRefusalsMax) {
    return job.chunks.not_sent(result.index, now_);
  }
  fail(job, result.index,
       {ErrorCode::unsupported,
        fmt::format("worker {} refuses chunk {}: {}", result.worker, result.index,
                    result.problems.empty() ? "it does not say why" : result.problems.back().what),
        ""});
}

void MasterMachine::fail(detail::MasterJob& job, std::uint64_t index, Error error) {
  if (!take_off(job, index, Acknowledged::no)) return;
  act(FailChunk{{job.id, index}, std::move(error)});
  ask_for_more(job);
}

void MasterMachine::fail_all(detail::MasterJob& job, const Error& error) {
  for (const std::uint64_t index : job.chunks.indices()) fail(job, index, error);
}

}  // namespace artel::cluster
