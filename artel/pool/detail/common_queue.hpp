#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <utility>

#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_block.hpp"
#include "artel/pool/detail/job_ring.hpp"
#include "artel/pool/detail/room_line.hpp"
#include "artel/pool/priority.hpp"
#include "artel/sync/cache_line_pair.hpp"
#include "artel/sync/spin_lock.hpp"
#include "artel/sync/std_atomics.hpp"

namespace artel::pool::detail {

/// Where tasks wait that no worker has bound yet: a FIFO per priority, under one lock, and behind
/// it the submitters that wait for room, with their tasks (room_line.hpp).
///
/// Invariants:
///  C1  counts are written under the lock, sequentially consistent: a worker that is about to park
///      reads them after setting its idle bit, a submitter reads the idle set after writing them.
///      They include the tasks of submitters in line, which take() gives out like the others.
///  C2  Every block in a lane holds at least one job.
///  C3  At most `bound` jobs in each lane, so that urgent ones need not wait for room among others;
///      but for push_inside(), push_over() and put_back(). Each job taken makes room for one in
///      line, even beyond the bound: whoever waits comes in, whatever tasks submit meanwhile.
/// Cost:    about 20 ns per push; take() is O(1) for a whole block. Blocks are recycled up to
///          kSparesMax, then freed: memory follows what waits.
/// Threads: any.
template <class Atomics = sync::StdAtomics>
class BasicCommonQueue {
 public:
  enum class Pushed : std::uint8_t { ok, full, closed };
  using Line = BasicRoomLine<Atomics>;
  using Waiter = typename Line::Waiter;

  explicit BasicCommonQueue(std::size_t bound) : bound_(bound) {}
  ~BasicCommonQueue();
  BasicCommonQueue(const BasicCommonQueue&) = delete;
  BasicCommonQueue& operator=(const BasicCommonQueue&) = delete;

  /// Throws std::bad_alloc, and has done nothing then.
  Pushed push(Priority priority, Job& job);
  /// The same; where it is full the job's submitter stands in line until leave().
  Pushed push_or_wait(Priority priority, Job& job, Waiter& waiter);
  [[nodiscard]] typename Line::State leave(Waiter& waiter, Priority priority);
  /// Adds what `build(void*)` constructs to the ordinary ones, if some of them wait and there is
  /// room; false: nothing happened. `build` must neither throw nor submit: the lock is held.
  ///
  /// Many submitters want the lock for far longer than a worker needs to empty the lane. Those that
  /// still queued up then would keep it from ever being empty, and everybody at the lock.
  template <class Build>
  bool push_behind(Build&& build) {
    const auto some_wait = [this] { return count(Priority::normal) != 0; };
    if (!some_wait() || !lock_.lock_while(some_wait)) return false;
    const std::lock_guard lock(lock_, std::adopt_lock);
    if (closed_ || !some_wait() || count(Priority::normal) >= bound_) return false;
    accept(Priority::normal, std::forward<Build>(build));
    return true;
  }
  bool push_behind(Job& job) { return push_behind(Job::moved_from(job)); }
  /// As push(), whether there is room or not, and after close() too.
  void push_inside(Priority priority, Job& job);
  /// As push(), whether there is room or not.
  Pushed push_over(Priority priority, Job& job);

  /// For jobs that were accepted before: not refused, not counted again. They come first. How many
  /// of them, from the first, could be put back: all, unless there is no more memory.
  std::size_t put_back(std::span<Job> jobs) noexcept;
  /// The same with all that waits in the ring of a worker.
  void put_back(BasicJobRing<Atomics>& ring) noexcept;
  /// The same with what is left in a block that was taken.
  void put_back(std::unique_ptr<JobBlock> block) noexcept;

  /// The oldest jobs of a lane, at most `max`; null when there are none. `spare` is an empty block,
  /// which is used for the answer or kept: no memory is asked for. Null will do for `max` kJobs.
  std::unique_ptr<JobBlock> take(Priority priority, std::uint32_t max,
                                 std::unique_ptr<JobBlock>& spare) noexcept;

  /// Refuses jobs from now on, and releases those in line.
  void close();

  /// Whether a submitter waits for room, or sleeps on although its task is in.
  [[nodiscard]] bool room_wanted() const { return line_.any(); }
  [[nodiscard]] std::size_t in_line() const { return line_.in_line(); }
  /// Wakes the submitters whose tasks are in.
  void wake_admitted(Priority priority) {
    if (line_.asleep(priority)) line_.wake(lock_, priority);
  }

  [[nodiscard]] std::size_t count(Priority priority) const { return word(priority).load(); }
  [[nodiscard]] std::size_t count() const {
    return count(Priority::high) + count(Priority::normal) + count(Priority::low);
  }
  [[nodiscard]] std::size_t bound() const { return bound_; }
  /// Without those in line.
  [[nodiscard]] std::size_t queued() const {
    const std::size_t all = count();
    return all - std::min(all, in_line());
  }
  [[nodiscard]] std::size_t queued(Priority priority) {
    const std::lock_guard lock(lock_);
    return count(priority) - line_.in_line(priority);
  }
  /// The most that queued() has been, as far as that was beyond the bound; 0: it never was.
  [[nodiscard]] std::size_t most_over() const { return most_over_.load(std::memory_order_relaxed); }
  /// Grows with every job taken.
  [[nodiscard]] std::uint64_t taken_approx() const { return accepted() - queued(); }
  /// Jobs accepted by push(); exact when nobody pushes.
  [[nodiscard]] std::uint64_t accepted() const { return accepted_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kSparesMax = 64;

  using Count = typename Atomics::template Atomic<std::size_t>;
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
  [[gnu::noinline]] void append_fresh_block(Lane& lane);
  void recycle(std::unique_ptr<JobBlock> block);
  std::unique_ptr<JobBlock> unlink_first(Lane& lane);
  template <class Build>
  void accept(Priority priority, Build&& build) {
    append_job(priority, std::forward<Build>(build));
    add_count(priority, 1);
  }
  template <class Build>
  void append_job(Priority priority, Build&& build) {
    Lane& lane = lanes_[static_cast<std::size_t>(priority)];
    if (lane.last == nullptr || lane.last->full()) [[unlikely]]
      append_fresh_block(lane);
    lane.last->push_built(std::forward<Build>(build));
    accepted_.store(accepted_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void admit(Priority priority, std::size_t lane_max, std::size_t at_least) noexcept;
  void prepend(Lane&& blocks, std::size_t jobs);
  void add_count(Priority priority, std::size_t change) {
    auto& count = word(priority);
    count.store(count.load(std::memory_order_relaxed) + change);
  }
  template <class Self>
  static auto& word_of(Self& self, Priority priority) {
    if (priority == Priority::normal) return self.ordinary_;
    return priority == Priority::high ? self.urgent_ : self.low_;
  }
  [[nodiscard]] const Count& word(Priority priority) const { return word_of(*this, priority); }
  [[nodiscard]] Count& word(Priority priority) { return word_of(*this, priority); }

  const std::size_t bound_;
  // Apart, because all workers look at the urgent one before every task.
  alignas(sync::kCacheLinePair) Count urgent_ = 0;
  Count low_ = 0;
  // What a push of an ordinary task writes is one line, but for the task.
  alignas(sync::kCacheLinePair) sync::BasicSpinLock<Atomics> lock_;
  typename Atomics::template Plain<bool> closed_ = false;
  Count ordinary_ = 0;
  typename Atomics::template Atomic<std::uint64_t> accepted_ = 0;
  std::array<Lane, kPriorities> lanes_;
  std::size_t spare_count_ = 0;
  std::unique_ptr<JobBlock> spares_;
  // Apart, because workers look with every task whether anybody waits.
  alignas(sync::kCacheLinePair) Line line_;
  Count most_over_ = 0;
};

template <class Atomics>
BasicCommonQueue<Atomics>::~BasicCommonQueue() {
  // One at a time: the chain would otherwise destroy itself recursively.
  for (auto& lane : lanes_) {
    while (lane.first) lane.first = std::move(lane.first->next_);
  }
  while (spares_) spares_ = std::move(spares_->next_);
}

template <class Atomics>
auto BasicCommonQueue<Atomics>::push(Priority priority, Job& job) -> Pushed {
  const std::lock_guard lock(lock_);
  if (closed_) return Pushed::closed;
  if (count(priority) >= bound_) return Pushed::full;
  accept(priority, Job::moved_from(job));
  return Pushed::ok;
}

template <class Atomics>
auto BasicCommonQueue<Atomics>::push_or_wait(Priority priority, Job& job, Waiter& waiter)
    -> Pushed {
  const std::lock_guard lock(lock_);
  if (closed_) return Pushed::closed;
  if (count(priority) >= bound_) {
    line_.join(waiter, priority);
    add_count(priority, 1);
    return Pushed::full;
  }
  accept(priority, Job::moved_from(job));
  return Pushed::ok;
}

template <class Atomics>
auto BasicCommonQueue<Atomics>::leave(Waiter& waiter, Priority priority) -> typename Line::State {
  const std::lock_guard lock(lock_);
  const auto state = line_.leave(waiter);
  if (state == Line::State::waits) add_count(priority, std::size_t{0} - 1);
  return state;
}

template <class Atomics>
void BasicCommonQueue<Atomics>::push_inside(Priority priority, Job& job) {
  const std::lock_guard lock(lock_);
  accept(priority, Job::moved_from(job));
}

template <class Atomics>
auto BasicCommonQueue<Atomics>::push_over(Priority priority, Job& job) -> Pushed {
  const std::lock_guard lock(lock_);
  if (closed_) return Pushed::closed;
  accept(priority, Job::moved_from(job));
  const std::size_t length = count(priority) - line_.in_line(priority);
  if (length > bound_ && length > most_over_.load(std::memory_order_relaxed)) {
    most_over_.store(length, std::memory_order_relaxed);
  }
  return Pushed::ok;
}

// Lets in who stands in line, in order: until there are that many in the lane, and at least so
// many.
template <class Atomics>
void BasicCommonQueue<Atomics>::admit(Priority priority, std::size_t lane_max,
                                      std::size_t at_least) noexcept {
  for (std::size_t waiting = line_.in_line(priority); waiting > 0; --waiting) {
    if (count(priority) - waiting >= lane_max && at_least == 0) return;
    if (at_least > 0) --at_least;
    const bool admitted = line_.admit_first(priority, [&](Job& job) {
      try {
        append_job(priority, Job::moved_from(job));
        return true;
      } catch (const std::bad_alloc&) {
        return false;  // it waits on
      }
    });
    if (!admitted) return;
  }
}

template <class Atomics>
std::size_t BasicCommonQueue<Atomics>::put_back(std::span<Job> jobs) noexcept {
  Lane blocks;
  std::size_t count = 0;
  while (count < jobs.size()) {
    std::unique_ptr<JobBlock> block(new (std::nothrow) JobBlock);
    if (!block) break;
    while (count < jobs.size() && !block->full()) block->push(jobs[count++]);
    blocks.append(std::move(block));
  }
  prepend(std::move(blocks), count);
  return count;
}

template <class Atomics>
void BasicCommonQueue<Atomics>::put_back(BasicJobRing<Atomics>& ring) noexcept {
  Lane blocks;
  std::size_t count = 0;
  while (!ring.empty()) {
    std::unique_ptr<JobBlock> block(new (std::nothrow) JobBlock);
    if (!block) break;  // what is left can still be stolen
    block->fill([&ring](Job* to, std::uint32_t max) { return ring.steal(to, max); });
    count += block->size();
    if (block->size() > 0) blocks.append(std::move(block));
  }
  prepend(std::move(blocks), count);
}

template <class Atomics>
void BasicCommonQueue<Atomics>::put_back(std::unique_ptr<JobBlock> block) noexcept {
  const std::size_t count = block->size();
  Lane blocks;
  blocks.append(std::move(block));
  prepend(std::move(blocks), count);
}

template <class Atomics>
void BasicCommonQueue<Atomics>::prepend(Lane&& blocks, std::size_t jobs) {
  if (jobs == 0) return;
  const std::lock_guard lock(lock_);
  Lane& lane = lanes_[static_cast<std::size_t>(Priority::normal)];
  if (lane.first == nullptr) lane.last = blocks.last;
  blocks.last->next_ = std::move(lane.first);
  lane.first = std::move(blocks.first);
  add_count(Priority::normal, jobs);
}

template <class Atomics>
std::unique_ptr<JobBlock> BasicCommonQueue<Atomics>::take(
    Priority priority, std::uint32_t max, std::unique_ptr<JobBlock>& spare) noexcept {
  if (count(priority) == 0 || max == 0) return nullptr;
  const std::lock_guard lock(lock_);
  if (line_.in_line(priority) != 0) admit(priority, max, 0);
  Lane& lane = lanes_[static_cast<std::size_t>(priority)];
  if (!lane.first) return nullptr;
  std::unique_ptr<JobBlock> taken;
  if (lane.first->size() <= max) {
    taken = unlink_first(lane);
    if (spare) recycle(std::move(spare));
  } else {
    taken = std::move(spare);
    for (std::uint32_t i = 0; i < max; ++i) {
      taken->push(lane.first->front());
      lane.first->pop_front();
    }
  }
  add_count(priority, std::size_t{0} - taken->size());
  if (line_.in_line(priority) != 0) admit(priority, bound_, lane.first ? taken->size() : 0);
  return taken;
}

template <class Atomics>
void BasicCommonQueue<Atomics>::close() {
  {
    const std::lock_guard lock(lock_);
    closed_ = true;
    for (std::size_t lane = 0; lane < kPriorities; ++lane) {
      const auto priority = static_cast<Priority>(lane);
      add_count(priority, std::size_t{0} - line_.in_line(priority));
    }
    line_.close();
  }
  for (std::size_t lane = 0; lane < kPriorities; ++lane) {
    wake_admitted(static_cast<Priority>(lane));
  }
}

template <class Atomics>
void BasicCommonQueue<Atomics>::append_fresh_block(Lane& lane) {
  if (!spares_) return lane.append(JobBlock::make());
  auto block = std::move(spares_);
  spares_ = std::move(block->next_);
  --spare_count_;
  lane.append(std::move(block));
}

template <class Atomics>
void BasicCommonQueue<Atomics>::recycle(std::unique_ptr<JobBlock> block) {
  if (spare_count_ == kSparesMax) return;
  block->next_ = std::move(spares_);
  spares_ = std::move(block);
  ++spare_count_;
}

template <class Atomics>
std::unique_ptr<JobBlock> BasicCommonQueue<Atomics>::unlink_first(Lane& lane) {
  auto block = std::move(lane.first);
  lane.first = std::move(block->next_);
  if (!lane.first) lane.last = nullptr;
  return block;
}

extern template class BasicCommonQueue<sync::StdAtomics>;
using CommonQueue = BasicCommonQueue<>;

}  // namespace artel::pool::detail
