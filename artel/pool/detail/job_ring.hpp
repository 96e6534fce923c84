#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "artel/pool/detail/job.hpp"
#include "artel/sync/cache_line_pair.hpp"
#include "artel/sync/std_atomics.hpp"

namespace artel::pool::detail {

/// The queue of one worker: a bounded ring with a lock at either end.
///
/// Invariants:
///  R1  tail_ and head_ hold an index and, in the lowest bit, the lock of that end. Jobs live in
///      [head, tail) and nowhere else; 0 <= tail - head <= cells.
///  R2  Only the holder of the tail lock writes cells at and after tail and moves tail forward;
///      only the holder of the head lock reads cells from head and moves head. Moving tail back
///      (`unpush`) takes both.
///  R3  Publishing a job and letting go of the tail lock is one exchange. It is sequentially
///      consistent, as is every read of tail_ by a worker that is about to park: of "job published,
///      then idle set read" and "idle bit set, then queue read" at least one sees the other (the
///      parking protocol needs this, see parker.hpp).
///  R4  head_ is released after the job has been moved out; a producer that reuses the cell
///      acquires it.
///  R5  Once closed, nothing is ever added from outside again; `refill` still works, so that what
///      waited in the common queue can be drained through here.
/// Cost:    push and pop about 10 ns each while the other end is elsewhere; 64 bytes per cell.
/// Threads: any number may push, pop and steal.
template <class Atomics = sync::StdAtomics>
class BasicJobRing {
 public:
  enum class Pushed : std::uint8_t { ok, full, busy, closed };

  BasicJobRing() = default;

  /// Requires: 1 <= capacity <= 2^24, once, before anybody else sees the ring.
  void allocate(std::uint32_t capacity) {
    mask_ = std::bit_ceil(capacity) - 1;
    cells_ = std::make_unique_for_overwrite<Cell[]>(mask_ + 1);
  }
  [[nodiscard]] std::uint32_t capacity() const { return static_cast<std::uint32_t>(mask_ + 1); }

  ~BasicJobRing() {
    for (auto i = index_of(head_.load()); i != index_of(tail_.load()); ++i) at(i).~Job();
  }
  BasicJobRing(const BasicJobRing&) = delete;
  BasicJobRing& operator=(const BasicJobRing&) = delete;

  /// Adds what `build(void*)` constructs, if fewer than `limit` wait; busy when another producer
  /// is at it. `build` must not throw.
  template <class Build>
  Pushed try_push(std::uint32_t limit, Build&& build) {
    std::uint64_t tail = 0;
    if (!try_lock(tail_, tail)) return Pushed::busy;
    return push_locked(tail, limit, std::forward<Build>(build));
  }
  Pushed try_push(std::uint32_t limit, Job& job) { return try_push(limit, Job::moved_from(job)); }
  /// The same, but it waits for other producers.
  Pushed push(std::uint32_t limit, Job& job) {
    const std::uint64_t tail = lock(tail_);
    return push_locked(tail, limit, Job::moved_from(job));
  }

  /// Adds jobs that were accepted elsewhere (common queue, another worker), in order, as many as
  /// there is space for; returns how many. Those are empty then.
  std::uint32_t refill(Job* jobs, std::uint32_t count) {
    return refill_with(count,
                       [jobs](std::uint32_t i, void* to) { ::new (to) Job(std::move(jobs[i])); });
  }
  /// The same with jobs that are in memory for jobs, and are none then: it is only read.
  std::uint32_t relocate_in(Job* jobs, std::uint32_t count) {
    return refill_with(count, [jobs](std::uint32_t i, void* to) { Job::relocate(jobs[i], to); });
  }
  /// The same; none once it is closed.
  std::uint32_t relocate_if_open(Job* jobs, std::uint32_t count) {
    return refill_with(
        count, [jobs](std::uint32_t i, void* to) { Job::relocate(jobs[i], to); }, true);
  }

  /// Whether all jobs that anybody has seen at this end are taken, so that pop() will have to look
  /// at the producers' line; a guess.
  [[nodiscard]] bool drained() const {
    return index_of(head_.load(std::memory_order_relaxed)) ==
           tail_seen_.load(std::memory_order_relaxed);
  }
  /// Takes the oldest job. Does not touch the producers' line while it knows of jobs.
  bool pop(Job& out) {
    if (drained() && empty()) return false;
    std::uint64_t head = lock(head_);
    const auto i = index_of(head);
    auto end = tail_seen_.load(std::memory_order_relaxed);
    if (i == end) {
      end = see_tail();
      if (i == end) {
        head_.store(head, std::memory_order_release);
        return false;
      }
    }
    if (i + kAhead < end) __builtin_prefetch(cell(i + kAhead));
    move_out(i, out);
    head_.store(head + kOne, std::memory_order_release);
    return true;
  }

  /// Takes the older half, at most `max`, to memory that holds no jobs, or empty ones; none when
  /// somebody else is taking.
  [[gnu::noinline]] std::uint32_t steal(Job* out, std::uint32_t max) {
    if (empty()) return 0;
    std::uint64_t head = 0;
    if (!try_lock(head_, head)) return 0;
    const auto first = index_of(head);
    const auto waiting = static_cast<std::uint32_t>(see_tail() - first);
    const auto count = std::min(max, (waiting + 1) / 2);
    for (std::uint32_t i = 0; i < count; ++i)
      Job::relocate(at(first + i), static_cast<void*>(&out[i]));
    head_.store(head + count * kOne, std::memory_order_release);
    return count;
  }

  /// Takes the newest job back if it satisfies `matches(Job&)` and nobody is at either end.
  template <class Matches>
  bool unpush(Job& out, Matches&& matches) {
    std::uint64_t tail = 0;
    std::uint64_t head = 0;
    if (!try_lock(tail_, tail)) return false;
    if (!try_lock(head_, head)) {
      tail_.store(tail, std::memory_order_release);
      return false;
    }
    const auto last = index_of(tail) - 1;
    const bool taken = index_of(head) != index_of(tail) && matches(at(last));
    if (taken) {
      move_out(last, out);
      tail -= kOne;
      // It may have been beyond the new tail.
      tail_seen_.store(index_of(head), std::memory_order_relaxed);
    }
    // The tail first: who locks the head next must not see the old one (R1).
    tail_.store(tail, std::memory_order_release);
    head_.store(head, std::memory_order_release);
    return taken;
  }

  /// Refuses outside jobs from now on, or accepts them again.
  void set_closed(bool closed) {
    const std::uint64_t tail = lock(tail_);
    closed_ = closed;
    tail_.store(tail, std::memory_order_release);
  }

  /// Sequentially consistent: see R3.
  [[nodiscard]] bool empty() const {
    return index_of(tail_.load()) == index_of(head_.load(std::memory_order_acquire));
  }
  /// How many wait, as seen while others push and pop.
  [[nodiscard]] std::uint32_t size_approx() const {
    const auto head = index_of(head_.load(std::memory_order_relaxed));
    const auto tail = index_of(tail_.load(std::memory_order_relaxed));
    return tail > head ? static_cast<std::uint32_t>(tail - head) : 0;
  }
  /// Grows with every job taken: a worker whose ring is not empty and whose `taken` stands still is
  /// stuck.
  [[nodiscard]] std::uint64_t taken_approx() const {
    return index_of(head_.load(std::memory_order_relaxed));
  }
  /// Jobs accepted here from outside; exact when nobody pushes.
  [[nodiscard]] std::uint64_t accepted() const { return accepted_.load(std::memory_order_relaxed); }

 private:
  using Word = typename Atomics::template Atomic<std::uint64_t>;

  static constexpr std::uint64_t kLocked = 1;
  static constexpr std::uint64_t kOne = 2;  // an index step, above the lock bit

  static constexpr std::uint64_t kAhead = 6;  // cells to fetch before they are needed

  struct alignas(64) Cell {
    std::byte bytes[sizeof(Job)];
  };

  [[nodiscard]] static std::uint64_t index_of(std::uint64_t word) { return word >> 1U; }
  [[nodiscard]] void* cell(std::uint64_t i) const { return cells_[i & mask_].bytes; }
  [[nodiscard]] Job& at(std::uint64_t i) const { return *std::launder(static_cast<Job*>(cell(i))); }
  void move_out(std::uint64_t i, Job& out) const { Job::relocate(at(i), out); }

  static bool try_lock(Word& end, std::uint64_t& word) {
    word = end.load(std::memory_order_relaxed);
    return (word & kLocked) == 0 &&
           end.compare_exchange_strong(word, word | kLocked, std::memory_order_acquire,
                                       std::memory_order_relaxed);
  }
  static std::uint64_t lock(Word& end) {
    std::uint64_t word = 0;
    return try_lock(end, word) ? word : lock_contended(end);
  }
  [[gnu::noinline]] static std::uint64_t lock_contended(Word& end) {
    constexpr int kSpins = 100;
    std::uint64_t word = 0;
    for (int spins = 0; !try_lock(end, word); ++spins) {
      if (spins < kSpins) {
        Atomics::relax();
      } else {
        Atomics::yield();
      }
    }
    return word;
  }

  template <class Move>
  [[gnu::noinline]] std::uint32_t refill_with(std::uint32_t count, Move&& move,
                                              bool if_open = false) {
    const std::uint64_t tail = lock(tail_);
    if (full(tail, capacity()) || (if_open && closed_)) {
      tail_.store(tail, std::memory_order_release);
      return 0;
    }
    const auto space = capacity() - static_cast<std::uint32_t>(index_of(tail) - head_seen_);
    const auto added = std::min(space, count);
    for (std::uint32_t i = 0; i < added; ++i) move(i, cell(index_of(tail) + i));
    publish(tail, added);
    return added;
  }
  template <class Build>
  Pushed push_locked(std::uint64_t tail, std::uint32_t limit, Build&& build) {
    if (closed_) return give_up(tail, Pushed::closed);
    if (full(tail, limit)) return give_up(tail, Pushed::full);
    __builtin_prefetch(cell(index_of(tail) + kAhead), 1);
    build(cell(index_of(tail)));
    accepted_.store(accepted_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    publish(tail, 1);
    return Pushed::ok;
  }
  Pushed give_up(std::uint64_t tail, Pushed why) {
    tail_.store(tail, std::memory_order_release);
    return why;
  }
  // With the tail lock: whether fewer than `limit` slots are left.
  bool full(std::uint64_t tail, std::uint32_t limit) {
    if (index_of(tail) - head_seen_ < limit) return false;
    head_seen_ = index_of(head_.load(std::memory_order_acquire));  // pairs with R4
    return index_of(tail) - head_seen_ >= limit;
  }
  void publish(std::uint64_t tail, std::uint64_t count) { tail_.exchange(tail + count * kOne); }
  // With the head lock: where the jobs end that may be moved out.
  std::uint64_t see_tail() {
    const auto end = index_of(tail_.load(std::memory_order_acquire));
    tail_seen_.store(end, std::memory_order_relaxed);
    return end;
  }
  alignas(sync::kCacheLinePair) Word tail_ = 0;
  typename Atomics::template Plain<std::uint64_t> head_seen_ =
      0;                                                   // tail lock; at most the true head
  Word accepted_ = 0;                                      // written under the tail lock
  typename Atomics::template Plain<bool> closed_ = false;  // tail lock

  alignas(sync::kCacheLinePair) Word head_ = 0;
  Word tail_seen_ = 0;  // head lock; between head and the true tail

  alignas(sync::kCacheLinePair) std::unique_ptr<Cell[]> cells_;
  std::uint64_t mask_ = 0;
};

extern template class BasicJobRing<sync::StdAtomics>;
using JobRing = BasicJobRing<>;

}  // namespace artel::pool::detail
