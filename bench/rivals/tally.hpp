#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "artel/core/require.hpp"

namespace artel::bench {

/// How many tasks have run and the sum of what they say, counted apart for every thread, so that
/// tasks do not fight over a line; and the wait for all of them, which is the same for every
/// contender.
class Tally {
 public:
  void add(std::uint64_t value) {
    Slot& mine = slot();
    mine.sum.store(mine.sum.load(std::memory_order_relaxed) + value, std::memory_order_relaxed);
    mine.count.store(mine.count.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  /// Returns once so many have been added. Looks every 200 us, at about 1 % of a processor.
  void wait_for(std::uint64_t count) const {
    while (counted() < count) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  [[nodiscard]] std::uint64_t counted() const {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < claimed_.load(); ++i)
      all += slots_[i].count.load(std::memory_order_acquire);
    return all;
  }
  /// Of what has been counted.
  [[nodiscard]] std::uint64_t sum() const {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < claimed_.load(); ++i)
      all += slots_[i].sum.load(std::memory_order_relaxed);
    return all;
  }

 private:
  static constexpr std::size_t kSlots = 16'384;  // more than threads are made in one run
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> count = 0, sum = 0;
  };
  // The slot of this thread in the tally that it added to last.
  struct Claim {
    std::uint64_t tally = 0;
    Slot* slot = nullptr;
  };

  Slot& slot() {
    thread_local constinit Claim mine;
    if (mine.tally != id_) {
      const std::size_t next = claimed_++;
      ARTEL_REQUIRE(next < kSlots, "too many threads for one tally", next);
      mine = {id_, &slots_[next]};
    }
    return *mine.slot;
  }

  static std::uint64_t new_id() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
  }

  std::uint64_t id_ = new_id();
  std::atomic<std::size_t> claimed_ = 0;
  std::vector<Slot> slots_ = std::vector<Slot>(kSlots);
};

}  // namespace artel::bench
