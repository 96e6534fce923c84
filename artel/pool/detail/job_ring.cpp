#include "artel/pool/detail/job_ring.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "artel/pool/detail/job.hpp"
#include "artel/sync/relax.hpp"

namespace artel::pool::detail {

std::uint64_t JobRing::lock_contended(std::atomic<std::uint64_t>& end) {
  constexpr int kSpins = 100;
  std::uint64_t word = 0;
  for (int spins = 0; !try_lock(end, word); ++spins) {
    if (spins < kSpins) {
      sync::relax();
    } else {
      sched_yield();
    }
  }
  return word;
}

std::uint32_t JobRing::refill(Job* jobs, std::uint32_t count) {
  const std::uint64_t tail = lock(tail_);
  if (full(tail, capacity())) {
    tail_.store(tail, std::memory_order_release);
    return 0;
  }
  const auto space = capacity() - static_cast<std::uint32_t>(index_of(tail) - head_seen_);
  const auto added = std::min(space, count);
  for (std::uint32_t i = 0; i < added; ++i) {
    ::new (cell(index_of(tail) + i)) Job(std::move(jobs[i]));
  }
  publish(tail, added);
  return added;
}

std::uint32_t JobRing::steal(Job* out, std::uint32_t max) {
  if (empty()) return 0;
  std::uint64_t head = 0;
  if (!try_lock(head_, head)) return 0;
  const auto first = index_of(head);
  const auto waiting = static_cast<std::uint32_t>(see_tail() - first);
  const auto count = std::min(max, (waiting + 1) / 2);
  for (std::uint32_t i = 0; i < count; ++i) move_out(first + i, out[i]);
  head_.store(head + count * kOne, std::memory_order_release);
  return count;
}

}  // namespace artel::pool::detail
