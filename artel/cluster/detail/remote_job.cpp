#include "artel/cluster/detail/remote_job.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/cluster/chunk_order.hpp"
#include "artel/cluster/chunk_result.hpp"
#include "artel/cluster/detail/chunk_feed.hpp"
#include "artel/cluster/detail/jetstream_queue.hpp"
#include "artel/cluster/detail/outstanding_chunks.hpp"
#include "artel/cluster/detail/result_journal.hpp"
#include "artel/cluster/detail/sent_chunks.hpp"
#include "artel/cluster/detail/worker_queues.hpp"
#include "artel/cluster/job_counts.hpp"
#include "artel/cluster/task_key.hpp"
#include "artel/cluster/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::cluster::detail {
namespace {

constexpr std::size_t kOutMin = 2;     // chunks, while no worker is there
constexpr unsigned kRefusalsMax = 50;  // of a chunk, while there is a worker who knows the task

}  // namespace

RemoteJob::RemoteJob(Host host, std::string id, std::unique_ptr<ChunkFeed> feed)
    : host_(std::move(host)),
      id_(std::move(id)),
      feed_(std::move(feed)),
      outstanding_({.patience = host_.options.patience,
                    .speculation = host_.options.speculation,
                    .speculation_min = host_.options.speculation_min}),
      pump_([this] { pump(); }) {}

RemoteJob::~RemoteJob() { end(); }

JobCounts RemoteJob::counts() const {
  const std::lock_guard guard(lock_);
  JobCounts counts = counts_;
  counts.chunks = outstanding_.counts();
  return counts;
}

void RemoteJob::poke() {
  {
    const std::lock_guard guard(lock_);
    poked_ = true;
  }
  changed_.notify_all();
}

void RemoteJob::workers_changed() {
  {
    const std::lock_guard guard(lock_);
    out_max_.reset();
    poked_ = true;
  }
  changed_.notify_all();
}

// A chunk less is out. The pump sleeps on until it can send some together: of what waits at the
// server, half is there still. Workers with queues of their own get each when there is room.
void RemoteJob::wake_pump() {
  {
    const std::lock_guard guard(lock_);
    const std::size_t most = out_most();
    const std::size_t together = host_.own != nullptr ? 1 : std::max<std::size_t>(1, most / 4);
    if (outstanding_.out() + together > most) return;
    poked_ = true;
  }
  changed_.notify_all();
}

void RemoteJob::end() {
  std::size_t left = 0;
  {
    const std::lock_guard guard(lock_);
    left = outstanding_.out() + to_purge_.size();
    ended_ = true;
    sent_.clear();
  }
  changed_.notify_all();
  if (!pump_.joinable()) return;
  pump_.join();
  if (left > 0) static_cast<void>(host_.queue.purge_job(id_));  // else workers do it for nobody
}

// ---- Sending

// With lock_ held: chunks that may be out.
std::size_t RemoteJob::out_most() {
  if (!out_max_) out_max_ = tasks_.empty() ? 0 : host_.workers(tasks_).out_max;
  return *out_max_ > 0 ? *out_max_ : kOutMin;
}

void RemoteJob::pump() {
  std::unique_lock guard(lock_);
  while (!ended_) {
    if (!may_send() || !feed_->may_have_more()) {
      changed_.wait(guard, [this] { return poked_ || ended_; });
      poked_ = false;
      continue;
    }
    guard.unlock();
    std::optional<ChunkOrder> order = feed_->take();
    if (order) send(std::move(*order));
    order.reset();
    guard.lock();
  }
}

// Into whose queue it goes.
std::string RemoteJob::place(const ChunkOrder& order) {
  if (host_.own == nullptr) return {};
  const Duration expected = item_time_.get() * order.count;
  return host_.own->place({id_, order.index}, expected, steady_now()).value_or("");
}

void RemoteJob::send(ChunkOrder order) {
  order.job = id_;
  order.reply = host_.reply;
  order.lease = host_.options.lease;
  order.tries = host_.options.tries;
  const std::uint64_t index = order.index;
  const std::uint64_t print = host_.journal ? fingerprint(order) : 0;
  if (host_.journal && resume(order, print)) return;
  const std::string worker = place(order);
  auto urgency = JetStreamQueue::Urgency::now;
  const auto kept = std::make_shared<const ChunkOrder>(std::move(order));
  {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [this] { return !trials_.under_way() || ended_; });
    if (ended_) return;
    if (tasks_.empty()) {
      for (const std::optional<TaskKey>* task : {&kept->map, &kept->fold}) {
        if (*task) tasks_.push_back(**task);
      }
      out_max_.reset();
    }
    outstanding_.issued(index, steady_now());
    // What is out already keeps the workers busy for longer than that.
    if (host_.own == nullptr && 2 * outstanding_.out() > out_most())
      urgency = JetStreamQueue::Urgency::soon;
    counts_.out_max = std::max(counts_.out_max, outstanding_.out());
    sent_.add(index, {.order = kept, .fingerprint = print, .worker = worker});
  }
  const auto sent = host_.queue.send(*kept, worker, urgency);
  if (!sent && sent.error().code == ErrorCode::too_large) {
    return give_up(index, 0, task_error(sent.error()));
  }
  if (!sent) not_sent(index);
}

// Takes the chunk's result from the journal, if it is there.
bool RemoteJob::resume(const ChunkOrder& order, std::uint64_t print) {
  const auto known = host_.journal->find(order.index, print);
  if (!known) {
    feed_->fail(order.index, task_error(known.error()));
    feed_->tell();
    return true;
  }
  const std::optional<ChunkResult>& result = *known;
  if (!result) return false;
  {
    const std::lock_guard guard(lock_);
    ++counts_.resumed;
  }
  feed_->finish(*result);
  feed_->tell();
  return true;
}

// Into the shared queue.
void RemoteJob::send_copy(std::uint64_t index, std::uint32_t epoch) {
  std::shared_ptr<const ChunkOrder> order;
  {
    const std::lock_guard guard(lock_);
    order = sent_.copy(index, epoch);
    if (!order) return;
  }
  if (!host_.queue.send(*order)) not_sent(index);
}

void RemoteJob::not_sent(std::uint64_t index) {
  const std::lock_guard guard(lock_);
  outstanding_.not_sent(index, steady_now());
}

void RemoteJob::worker_left(std::uint64_t index, bool working) {
  {
    const std::lock_guard guard(lock_);
    if (!sent_.left_worker(index)) return;
  }
  if (!working) reissue(index);
}

void RemoteJob::doubt() {
  const std::lock_guard guard(lock_);
  outstanding_.doubt_all(steady_now());
}

// ---- Results

// The chunk is not out any more. False: it was not.
bool RemoteJob::take_off(std::uint64_t index, Instant now) {
  const std::lock_guard guard(lock_);
  const bool had_copies = outstanding_.has_copies(index);
  if (outstanding_.arrived(index, now) == OutstandingChunks::ResultKind::duplicate) return false;
  if (had_copies) to_purge_.push_back(index);
  sent_.erase(index);
  if (host_.own != nullptr) host_.own->let_go({id_, index}, now);
  return true;
}

void RemoteJob::result_came(const ChunkResult& result) {
  const Instant now = steady_now();
  if (result.outcome == ChunkOutcome::refused) {
    const std::string why =
        result.problems.empty() ? "it does not say why" : result.problems.back().what;
    WorkersView workers;
    {
      const std::lock_guard guard(lock_);
      ++counts_.refused;
      workers = host_.workers(tasks_);
      if (sent_.find(result.index) == nullptr) return;
      // Until somebody is known to do it, time decides: see check_workers().
      if (!workers.known || sent_.refused(result.index) <= kRefusalsMax) {
        outstanding_.not_sent(result.index, now);
        return;
      }
    }
    return fail(
        result.index,
        task_error({ErrorCode::unsupported,
                    fmt::format("worker {} refuses chunk {}: {}", result.worker, result.index, why),
                    ""}));
  }
  std::optional<std::uint64_t> print;
  {
    const std::lock_guard guard(lock_);
    if (const auto* const chunk = sent_.find(result.index)) print = chunk->fingerprint;
  }
  if (!take_off(result.index, now)) return;
  if (host_.journal && print && result.outcome == ChunkOutcome::done) {
    if (const auto kept = host_.journal->add(*print, result); !kept) {
      feed_->fail(result.index, task_error(kept.error()));
      feed_->tell();
      return poke();
    }
  }
  if (result.count > 0) item_time_.add(result.worked / result.count);
  feed_->finish(result);
}

void RemoteJob::results_came() {
  feed_->tell();
  wake_pump();
}

void RemoteJob::fail(std::uint64_t index, std::exception_ptr error) {
  if (!take_off(index, steady_now())) return;
  feed_->fail(index, std::move(error));
  feed_->tell();
  poke();
}

void RemoteJob::give_up(std::uint64_t index, std::uint32_t attempts, std::exception_ptr error) {
  if (!take_off(index, steady_now())) return;
  feed_->give_up(index, attempts, std::move(error));
  feed_->tell();
  poke();
}

void RemoteJob::worker_reported(const WorkerReport& report) {
  const Instant now = steady_now();
  const std::lock_guard guard(lock_);
  for (const HeldChunk& held : report.held) {
    if (held.job == id_) outstanding_.seen(held.index, now);
  }
}

}  // namespace artel::cluster::detail
