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

#include "artel/cluster/detail/jetstream_queue.hpp"
#include "artel/cluster/detail/outstanding_chunks.hpp"
#include "artel/cluster/detail/result_journal.hpp"
#include "artel/cluster/detail/work_grant_feed.hpp"
#include "artel/cluster/detail/worker_queues.hpp"
#include "artel/cluster/protocol.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/future.hpp"

namespace artel::cluster::detail {
namespace {

constexpr std::size_t kOutMin = 2;         // chunks, while no worker is there
constexpr std::size_t kLooksPerTick = 64;  // chunks
constexpr unsigned kRefusalsMax = 50;      // of a chunk, while there is a worker who knows the task

std::exception_ptr exception_of(Error error) {
  return std::make_exception_ptr(pool::TaskError(std::move(error)));
}

}  // namespace

RemoteJob::RemoteJob(Host host, std::string id, std::unique_ptr<ChunkFeed> feed)
    : host_(std::move(host)),
      id_(std::move(id)),
      feed_(std::move(feed)),
      book_({.patience = host_.options.patience,
             .speculation = host_.options.speculation,
             .speculation_min = host_.options.speculation_min}),
      pump_([this] { pump(); }) {}

RemoteJob::~RemoteJob() { end(); }

RemoteJob::Counts RemoteJob::counts() const {
  const std::lock_guard guard(lock_);
  Counts counts = counts_;
  counts.chunks = book_.counts();
  return counts;
}

void RemoteJob::poke() {
  {
    const std::lock_guard guard(lock_);
    poked_ = true;
  }
  changed_.notify_all();
}

void RemoteJob::crew_changed() {
  {
    const std::lock_guard guard(lock_);
    crew_out_.reset();
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
    if (book_.out() + together > most) return;
    poked_ = true;
  }
  changed_.notify_all();
}

void RemoteJob::end() {
  std::size_t left = 0;
  {
    const std::lock_guard guard(lock_);
    left = book_.out() + to_purge_.size();
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
  if (!crew_out_) crew_out_ = tasks_.empty() ? 0 : host_.crew(tasks_).out_max;
  return *crew_out_ > 0 ? *crew_out_ : kOutMin;
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
  std::optional<WorkersView> crew;  // if it is the first chunk
  const std::string worker = place(order);
  auto urgency = JetStreamQueue::Urgency::now;
  const auto kept = std::make_shared<const ChunkOrder>(std::move(order));
  {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [this] { return !trying_ || ended_; });
    if (ended_) return;
    if (tasks_.empty()) {
      for (const std::optional<TaskKey>* task : {&kept->map, &kept->fold}) {
        if (*task) tasks_.push_back(**task);
      }
      crew_out_.reset();
      crew = host_.crew(tasks_);
    }
    book_.issued(index, steady_now());
    // What is out already keeps the workers busy for longer than that.
    if (host_.own == nullptr && 2 * book_.out() > out_most())
      urgency = JetStreamQueue::Urgency::soon;
    counts_.out_max = std::max(counts_.out_max, book_.out());
    sent_[index] = {.order = kept, .fingerprint = print, .worker = worker};
  }
  if (crew && crew->anybody && !crew->known) {
    Error error = crew->known.error();
    error.what += " (no worker can do it)";
    return fail(index, exception_of(std::move(error)));
  }
  const auto sent = host_.queue.send(*kept, worker, urgency);
  if (!sent && sent.error().code == ErrorCode::too_large) {
    return give_up(index, 0, exception_of(sent.error()));
  }
  if (!sent) not_sent(index);
}

// Takes the chunk's result from the journal, if it is there.
bool RemoteJob::resume(const ChunkOrder& order, std::uint64_t print) {
  const auto known = host_.journal->find(order.index, print);
  if (!known) {
    feed_->fail(order.index, exception_of(known.error()));
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
    const auto at = sent_.find(index);
    if (at == sent_.end()) return;
    ChunkOrder copy = *at->second.order;
    copy.epoch = epoch;
    order = std::make_shared<const ChunkOrder>(std::move(copy));
    at->second.order = order;
  }
  if (!host_.queue.send(*order)) not_sent(index);
}

void RemoteJob::not_sent(std::uint64_t index) {
  const std::lock_guard guard(lock_);
  book_.not_sent(index, steady_now());
}

void RemoteJob::worker_left(std::uint64_t index, bool working) {
  {
    const std::lock_guard guard(lock_);
    const auto at = sent_.find(index);
    if (at == sent_.end()) return;
    at->second.worker.clear();
  }
  if (!working) reissue(index);
}

void RemoteJob::doubt() {
  const std::lock_guard guard(lock_);
  book_.doubt_all(steady_now());
}

// ---- Results

// The chunk is not out any more. False: it was not.
bool RemoteJob::take_off(std::uint64_t index, Instant now) {
  const std::lock_guard guard(lock_);
  const bool had_copies = book_.has_copies(index);
  if (book_.arrived(index, now) == OutstandingChunks::Verdict::duplicate) return false;
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
    WorkersView crew;
    {
      const std::lock_guard guard(lock_);
      ++counts_.refused;
      crew = host_.crew(tasks_);
      const auto at = sent_.find(result.index);
      if (at == sent_.end()) return;
      if (crew.known && ++at->second.refusals <= kRefusalsMax) {
        book_.not_sent(result.index, now);
        return;
      }
    }
    return fail(result.index, exception_of({ErrorCode::unsupported,
                                            fmt::format("worker {} refuses chunk {}: {}",
                                                        result.worker, result.index, why),
                                            ""}));
  }
  std::optional<std::uint64_t> print;
  {
    const std::lock_guard guard(lock_);
    const auto at = sent_.find(result.index);
    if (at != sent_.end()) print = at->second.fingerprint;
  }
  if (!take_off(result.index, now)) return;
  if (host_.journal && print && result.outcome == ChunkOutcome::done) {
    if (const auto kept = host_.journal->add(*print, result); !kept) {
      feed_->fail(result.index, exception_of(kept.error()));
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
    if (held.job == id_) book_.seen(held.index, now);
  }
}

// ---- Looking after what is out

void RemoteJob::tick(Instant now) {
  std::vector<std::uint64_t> due;
  {
    const std::lock_guard guard(lock_);
    if (ended_) return;
    for (std::size_t i = trying_ ? 1 : 0; i < suspects_.size(); ++i) book_.seen(suspects_[i], now);
    due = book_.due(now, kLooksPerTick);
  }
  for (const std::uint64_t index : due) look_for(index);
  next_suspect(now);
  purge_copies();
  check_crew(now);
  speculate(now);
}

void RemoteJob::look_for(std::uint64_t index) {
  std::string worker;
  {
    const std::lock_guard guard(lock_);
    const auto at = sent_.find(index);
    if (at != sent_.end()) worker = at->second.worker;
  }
  if (!worker.empty() && !host_.own->has(worker)) return worker_left(index, false);
  const auto look = host_.queue.look_for({id_, index}, worker);
  if (!look) return not_sent(index);
  switch (look->place) {
    case JetStreamQueue::Place::queued:
      return;
    case JetStreamQueue::Place::orphan:
      static_cast<void>(host_.queue.erase(look->sequence));
      return reissue(index);
    case JetStreamQueue::Place::gone:
      if (!host_.queue.make()) return not_sent(index);
      doubt();
      return reissue(index);
    case JetStreamQueue::Place::absent:
      return reissue(index);
  }
}

void RemoteJob::reissue(std::uint64_t index) {
  std::optional<std::uint32_t> epoch;
  {
    const std::lock_guard guard(lock_);
    epoch = book_.reissue(index, steady_now());
    const auto at = sent_.find(index);
    if (at != sent_.end()) at->second.worker.clear();
  }
  if (host_.own != nullptr) host_.own->let_go({id_, index}, steady_now());
  if (epoch) send_copy(index, *epoch);
}

void RemoteJob::speculate(Instant now) {
  if (feed_->may_have_more()) return;
  std::optional<OutstandingChunks::Copy> copy;
  {
    const std::lock_guard guard(lock_);
    if (ended_ || book_.out() >= host_.crew(tasks_).credit) return;  // nobody is waiting
    copy = book_.speculate(now);
  }
  if (copy) send_copy(copy->index, copy->epoch);
}

void RemoteJob::purge_copies() {
  std::vector<std::uint64_t> done;
  {
    const std::lock_guard guard(lock_);
    done.swap(to_purge_);
  }
  for (const std::uint64_t index : done) static_cast<void>(host_.queue.purge({id_, index}));
}

void RemoteJob::check_crew(Instant now) {
  std::vector<std::uint64_t> lost;
  {
    const std::lock_guard guard(lock_);
    if (book_.out() == 0 || host_.crew(tasks_).credit > 0) {
      deserted_since_.reset();
      return;
    }
    if (!deserted_since_) deserted_since_ = now;
    if (now - *deserted_since_ <= host_.options.worker_timeout) return;
    for (const auto& [index, sent] : sent_) lost.push_back(index);
  }
  for (const std::uint64_t index : lost) {
    fail(index, exception_of({ErrorCode::timeout,
                              fmt::format("no worker for {}: start some (artel worker)",
                                          format_duration(host_.options.worker_timeout)),
                              ""}));
  }
}

// A crash counts against every chunk that the worker had in hand. So each is tried once more, by
// itself, before it is held responsible.
void RemoteJob::given_up(const ChunkOrder& order, std::uint64_t sequence) {
  const std::uint64_t index = order.index;
  bool dead = false;
  {
    const std::lock_guard guard(lock_);
    const auto at = sent_.find(index);
    if (at != sent_.end()) {
      Sent& sent = at->second;
      dead = sent.trial > 0 && order.epoch >= sent.trial;
      if (dead) {
        ++counts_.dead;
      } else if (!sent.suspect) {
        sent.suspect = true;
        suspects_.push_back(index);
        to_purge_.push_back(index);
        ++counts_.suspect;
      }
    }
  }
  const unsigned attempts = 2 * host_.options.tries;
  const std::string reason =
      fmt::format("every worker that had it was lost, {} times in all", attempts);
  if (dead) static_cast<void>(host_.queue.bury({reason, "", order}));
  static_cast<void>(host_.queue.erase(sequence));
  if (!dead) return;
  give_up(index, attempts,
          exception_of({ErrorCode::closed, reason + "; it is kept: artel cluster dead",
                        fmt::format("chunk {} (items {} to {})", index, order.first,
                                    order.first + order.count - 1)}));
}

// One after the other, when nothing else of this job is out: what a worker dies of now is the
// suspect. So they wait for chunks that take long, or until the window is full of results.
void RemoteJob::next_suspect(Instant now) {
  {
    const std::lock_guard guard(lock_);
    if (ended_) return;
    const auto over = [this](std::uint64_t index) { return !book_.is_out(index); };
    if (trying_ && !over(suspects_.front())) return;
    std::erase_if(suspects_, over);
    const bool tried =
        std::exchange(trying_, !suspects_.empty() && book_.out() == suspects_.size());
    if (trying_) {
      Sent& sent = sent_.at(suspects_.front());
      sent.trial = sent.order->epoch + 1;
      book_.not_sent(suspects_.front(), now);
    }
    if (!tried || trying_) return;
  }
  poke();
}

}  // namespace artel::cluster::detail
