#include "artel/pool/detail/parallel_loop.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <stop_token>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/pool_access.hpp"
#include "artel/pool/detail/submission.hpp"
#include "artel/pool/detail/work_body.hpp"
#include "artel/pool/detail/worker.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/task_error.hpp"
#include "artel/sync/blocking_hook.hpp"

namespace artel::pool::detail {

ParallelLoop::ParallelLoop(Pool& pool, Items items, Call call, void* callable,
                           const std::stop_token& stop)
    : pool_(pool),
      submission_(PoolAccess::submission(pool)),
      items_(items),
      call_(call),
      callable_(callable),
      stop_(stop),
      width_(std::max(1U, pool.size())) {}

void ParallelLoop::run() {
  if (items_.count == 0) return;
  if (worker_of(PoolAccess::core(pool_)) != nullptr) {
    invited_.fetch_add(1);
    alive_.fetch_add(1);
    take_part();
  } else if (!invite(submission_.patience())) {
    throw TaskError({ErrorCode::closed, "the pool takes no tasks, or has no room for one", ""});
  }
  if (!finished_.load()) {
    // Whoever is active goes on whether or not somebody takes this worker's place meanwhile.
    const sync::BlockingScope scope;
    changed_.wait(kNever, [this] { return finished_.load(); });
  }
  // Taken, so that the caller alone ends it: the last participant lets this loop go when it will.
  if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
}

bool ParallelLoop::invite(Instant until) {
  alive_.fetch_add(1);
  invited_.fetch_add(1);
  const auto admission = admit_work(submission_, Participant{shared_from_this()}, until);
  if (admission == Admission::accepted) return true;
  alive_.fetch_sub(1);  // not the last, but for the caller's, which nobody waits for then
  return false;
}

// ---- A participant

void ParallelLoop::take_part() {
  active_.fetch_add(1);  // I1
  const bool measured = items_.grain == 0;
  std::uint64_t size = measured ? 1 : items_.grain;
  bool invites = true;
  while (const auto chunk = take(size)) {
    if (invites && chunk->last < items_.count && invited_.load() < width_) {
      invites = invite(Instant::min());
    }
    const Instant started = measured ? steady_now() : Instant{};
    try {
      call_(callable_, chunk->first, chunk->last);
    } catch (...) {
      end_early(std::current_exception());
      break;
    }
    if (measured) size = next_size(*chunk, steady_now() - started);
  }
  if (active_.fetch_sub(1) == 1) {
    finished_.store(true);
    changed_.notify_all();
  }
  leave();
}

void ParallelLoop::leave() {
  if (alive_.fetch_sub(1) != 1 || finished_.load()) return;
  end_early(std::make_exception_ptr(
      TaskError({ErrorCode::cancelled, "the pool cancelled a loop with items left", ""})));
  finished_.store(true);
  changed_.notify_all();
}

std::optional<ParallelLoop::Chunk> ParallelLoop::take(std::uint64_t size) {
  if ((stop_.stop_requested() || submission_.cancelling()) && next_.load() < items_.count) {
    end_early(std::make_exception_ptr(
        TaskError({ErrorCode::cancelled, "a loop was stopped with items left", ""})));
  }
  std::uint64_t first = next_.load();
  std::uint64_t last = 0;
  do {
    if (first >= items_.count) return std::nullopt;
    last = first + std::min(size, items_.count - first);
  } while (!next_.compare_exchange_weak(first, last));
  return Chunk{first, last};
}

// How many items the next chunk has. Taking a chunk and reading the clock cost some 0.2 us, so that
// 20 us of work make them less than a hundredth; and no participant is busy with its last chunk for
// longer than that after the others are through. The first chunk has one item, for it may be long,
// and each is at most sixteen times the one before and half of a fair share of what is left, for
// those to come may be longer.
std::uint64_t ParallelLoop::next_size(const Chunk& done, Duration took) const {
  constexpr Duration kTarget = std::chrono::microseconds(20);
  constexpr std::uint64_t kGrowth = 16;
  const std::uint64_t size = done.last - done.first;
  const double scale = static_cast<double>(kTarget.count()) /
                       static_cast<double>(std::max<Duration::rep>(took.count(), 1));
  const std::uint64_t fit = scale >= static_cast<double>(kGrowth)
                                ? size * kGrowth
                                : static_cast<std::uint64_t>(static_cast<double>(size) * scale);
  const std::uint64_t left = items_.count - std::min(next_.load(), items_.count);
  return std::max<std::uint64_t>(1, std::min(fit, left / (2 * width_)));
}

// The first one says why; nobody takes another chunk.
void ParallelLoop::end_early(std::exception_ptr exception) {
  if (!ended_early_.exchange(true)) exception_ = std::move(exception);
  next_.store(items_.count);
}

}  // namespace artel::pool::detail
