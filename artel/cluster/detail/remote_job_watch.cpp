// How a RemoteJob looks after the chunks that are out: what is lost is issued again, what is slow a
// second time, what kills its workers is given up.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "artel/cluster/chunk_order.hpp"
#include "artel/cluster/detail/chunk_feed.hpp"
#include "artel/cluster/detail/jetstream_queue.hpp"
#include "artel/cluster/detail/outstanding_chunks.hpp"
#include "artel/cluster/detail/remote_job.hpp"
#include "artel/cluster/detail/sent_chunks.hpp"
#include "artel/cluster/detail/suspect_trials.hpp"
#include "artel/cluster/detail/worker_queues.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::cluster::detail {
namespace {

constexpr std::size_t kLooksPerTick = 64;  // chunks
// A task that nobody knows, although there are workers: five of the reports that each sends.
constexpr Duration kUnknownMax = std::chrono::seconds(5);

}  // namespace

void RemoteJob::tick(Instant now) {
  std::vector<std::uint64_t> due;
  {
    const std::lock_guard guard(lock_);
    if (ended_) return;
    trials_.wait(outstanding_, now);
    due = outstanding_.due(now, kLooksPerTick);
  }
  for (const std::uint64_t index : due) look_for(index);
  next_suspect(now);
  purge_copies();
  check_workers(now);
  speculate(now);
}

void RemoteJob::look_for(std::uint64_t index) {
  std::string worker;
  {
    const std::lock_guard guard(lock_);
    if (const auto* const chunk = sent_.find(index)) worker = chunk->worker;
  }
  if (!worker.empty() && !host_.own->has(worker)) return worker_left(index, false);
  const auto look = host_.queue.look_for({id_, index}, worker);
  if (!look) return not_sent(index);
  switch (look->state) {
    case JetStreamQueue::MessageState::queued:
      return;
    case JetStreamQueue::MessageState::orphan:
      static_cast<void>(host_.queue.erase(look->sequence));
      return reissue(index);
    case JetStreamQueue::MessageState::gone:
      if (!host_.queue.make()) return not_sent(index);
      doubt();
      return reissue(index);
    case JetStreamQueue::MessageState::absent:
      return reissue(index);
  }
}

void RemoteJob::reissue(std::uint64_t index) {
  std::optional<std::uint32_t> epoch;
  {
    const std::lock_guard guard(lock_);
    epoch = outstanding_.reissue(index, steady_now());
    sent_.left_worker(index);
  }
  if (host_.own != nullptr) host_.own->let_go({id_, index}, steady_now());
  if (epoch) send_copy(index, *epoch);
}

void RemoteJob::speculate(Instant now) {
  if (feed_->may_have_more()) return;
  std::optional<OutstandingChunks::Copy> copy;
  {
    const std::lock_guard guard(lock_);
    if (ended_ || outstanding_.out() >= host_.workers(tasks_).credit) return;  // nobody is waiting
    copy = outstanding_.speculate(now);
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

// Workers answer a discovery one after the other, and may come later than the master: that none of
// those who are there knows the task means something only when it lasts.
void RemoteJob::check_workers(Instant now) {
  std::vector<std::uint64_t> lost;
  Error error{ErrorCode::timeout,
              fmt::format("no worker for {}: start some (artel worker)",
                          format_duration(host_.options.worker_timeout)),
              ""};
  {
    const std::lock_guard guard(lock_);
    const WorkersView workers = host_.workers(tasks_);
    if (outstanding_.out() == 0 || workers.credit > 0) {
      deserted_since_.reset();
      return;
    }
    if (!deserted_since_) deserted_since_ = now;
    const bool unknown = workers.anybody && !workers.known;
    const Duration limit = unknown ? std::min(kUnknownMax, host_.options.worker_timeout)
                                   : host_.options.worker_timeout;
    if (now - *deserted_since_ <= limit) return;
    if (unknown) {
      error = workers.known.error();
      error.what += " (no worker can do it)";
    }
    lost = sent_.indices();
  }
  for (const std::uint64_t index : lost) fail(index, task_error(error));
}

void RemoteJob::given_up(const ChunkOrder& order, std::uint64_t sequence) {
  using Suspicion = SuspectTrials::Suspicion;
  const std::uint64_t index = order.index;
  auto verdict = Suspicion::known;
  {
    const std::lock_guard guard(lock_);
    if (sent_.find(index) != nullptr) verdict = trials_.given_up(index, order.epoch);
    if (verdict == Suspicion::guilty) ++counts_.dead;
    if (verdict == Suspicion::suspect) {
      to_purge_.push_back(index);
      ++counts_.suspect;
    }
  }
  const unsigned attempts = 2 * host_.options.tries;
  const std::string reason =
      fmt::format("every worker that had it was lost, {} times in all", attempts);
  if (verdict == Suspicion::guilty) static_cast<void>(host_.queue.bury({reason, "", order}));
  static_cast<void>(host_.queue.erase(sequence));
  if (verdict != Suspicion::guilty) return;
  give_up(index, attempts,
          task_error({ErrorCode::closed, reason + "; it is kept: artel cluster dead",
                      fmt::format("chunk {} (items {} to {})", index, order.first,
                                  order.first + order.count - 1)}));
}

void RemoteJob::next_suspect(Instant now) {
  {
    const std::lock_guard guard(lock_);
    if (ended_) return;
    const auto change = trials_.next(outstanding_);
    if (change.to_try) {
      trials_.begun(sent_.find(*change.to_try)->order->epoch + 1);
      outstanding_.not_sent(*change.to_try, now);
    }
    if (!change.over) return;
  }
  poke();
}

}  // namespace artel::cluster::detail
