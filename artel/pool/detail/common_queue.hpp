#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_block.hpp"
#include "artel/pool/detail/job_ring.hpp"
#include "artel/pool/priority.hpp"
#include "artel/sync/cache_line_pair.hpp"
#include "artel/sync/spin_lock.hpp"

namespace artel::pool::detail {

/// Where tasks wait that no worker has bound yet: a FIFO per priority, under one lock.
///
/// Invariants:
///  C1  counts are written under the lock, sequentially consistent: a worker that is about to park
///      reads them after setting its idle bit, a submitter reads the idle set after writing them.
///  C2  Every block in a lane holds at least one job.
///  C3  At most `bound` jobs in each lane, so that urgent ones need not wait for room among others; but for push_inside() and put_back().
/// Cost:    about 20 ns per push; take() is O(1) for a whole block. Blocks are recycled up to
///          kSparesMax, then freed: memory follows what waits.
/// Threads: any.
class CommonQueue {
 public:
  enum class Pushed : std::uint8_t { ok, full, closed };

  explicit CommonQueue(std::size_t bound) : bound_(bound) {}
  ~CommonQueue();
  CommonQueue(const CommonQueue&) = delete;
  CommonQueue& operator=(const CommonQueue&) = delete;

  /// Throws std::bad_alloc, and has done nothing then.
  Pushed push(Priority priority, Job& job);
  /// As push(), whether there is room or not, and after close() too.
  void push_inside(Priority priority, Job& job);

  /// For jobs that were accepted before: not refused, not counted again. They come first. How many
  /// of them, from the first, could be put back: all, unless there is no more memory.
  std::size_t put_back(std::span<Job> jobs) noexcept;
  /// The same with all that waits in the ring of a worker.
  void put_back(JobRing& ring) noexcept;

  /// The oldest jobs of a lane, at most `max`; null when there are none. `spare` is an empty block,
  /// which is used for the answer or kept: no memory is asked for.
  std::unique_ptr<JobBlock> take(Priority priority, std::uint32_t max,
                                 std::unique_ptr<JobBlock>& spare) noexcept;

  void close();

  [[nodiscard]] std::size_t count(Priority priority) const {
    return counts_[static_cast<std::size_t>(priority)].value.load();
  }
  [[nodiscard]] std::size_t count() const {
    return count(Priority::high) + count(Priority::normal) + count(Priority::low);
  }
  [[nodiscard]] std::size_t bound() const { return bound_; }
  /// Grows with every job taken.
  [[nodiscard]] std::uint64_t taken_approx() const { return accepted() - count(); }
  /// Jobs accepted by push(); exact when nobody pushes.
  [[nodiscard]] std::uint64_t accepted() const { return accepted_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kSparesMax = 64;

  struct Lane {
    std::unique_ptr<JobBlock> first;
    JobBlock* last = nullptr;

    void append(std::unique_ptr<JobBlock> block) {
      JobBlock* const added = block.get();
      (last == nullptr ? first : last->next_) = std::move(block);
      last = added;
    }
  };

  // All with the lock held.
  std::unique_ptr<JobBlock> fresh_block();
  void recycle(std::unique_ptr<JobBlock> block);
  std::unique_ptr<JobBlock> unlink_first(Lane& lane);
  void accept(Priority priority, Job& job);
  void prepend(Lane&& blocks, std::size_t jobs);
  void add_count(Priority priority, std::size_t change);

  const std::size_t bound_;
  // Apart, because all workers look at the urgent one before every task.
  struct alignas(sync::kCacheLinePair) Count {
    std::atomic<std::size_t> value = 0;
  };
  std::array<Count, kPriorities> counts_{};
  alignas(sync::kCacheLinePair) sync::SpinLock lock_;
  bool closed_ = false;
  std::size_t spare_count_ = 0;
  std::unique_ptr<JobBlock> spares_;
  std::array<Lane, kPriorities> lanes_;
  std::atomic<std::uint64_t> accepted_ = 0;
};

}  // namespace artel::pool::detail
