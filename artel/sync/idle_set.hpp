#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/sync/std_atomics.hpp"

namespace artel::sync {

/// The parked workers of a pool, a bit each, in words of 64.
///
/// Whoever clears a worker's bit owns its wake-up: a submitter that claims it must unpark it, the
/// worker itself simply goes on. So a worker is woken once per time it parks.
/// Cost:    O(1) per worker; questions about all of them O(workers / 64). All operations are
///          sequentially consistent (see parker.hpp).
/// Threads: any.
template <class Atomics = StdAtomics>
class BasicIdleSet {
 public:
  explicit BasicIdleSet(std::size_t workers)
      : words_(std::make_unique<Word[]>(words_for(workers))), word_count_(words_for(workers)) {}

  /// The worker parks.
  void insert(WorkerId id) { word(id).fetch_or(bit(id)); }

  /// Takes one worker out; false when somebody else did, or it was not in.
  bool claim(WorkerId id) { return (word(id).fetch_and(~bit(id)) & bit(id)) != 0; }

  /// Takes any worker out, the lowest first: few workers stay warm.
  std::optional<WorkerId> claim_any() {
    for (std::size_t i = 0; i < word_count_; ++i) {
      for (std::uint64_t seen = words_[i].load(); seen != 0; seen = words_[i].load()) {
        const std::uint64_t lowest = seen & (~seen + 1);
        if ((words_[i].fetch_and(~lowest) & lowest) != 0) {
          return static_cast<WorkerId>(i * kWordBits +
                                       static_cast<std::size_t>(std::countr_zero(lowest)));
        }
      }
    }
    return std::nullopt;
  }

  /// Whether the worker is parked.
  [[nodiscard]] bool contains(WorkerId id) const { return (word(id).load() & bit(id)) != 0; }

  /// Whether anybody is parked.
  [[nodiscard]] bool any() const {
    for (std::size_t i = 0; i < word_count_; ++i) {
      if (words_[i].load() != 0) return true;
    }
    return false;
  }

  /// As seen while others come and go.
  [[nodiscard]] std::size_t count_approx() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < word_count_; ++i) {
      count += static_cast<std::size_t>(std::popcount(words_[i].load(std::memory_order_relaxed)));
    }
    return count;
  }

 private:
  using Word = typename Atomics::template Atomic<std::uint64_t>;
  static constexpr std::size_t kWordBits = 64;

  static std::size_t words_for(std::size_t workers) {
    return (workers + kWordBits - 1) / kWordBits;
  }
  static std::uint64_t bit(WorkerId id) { return std::uint64_t{1} << (index(id) % kWordBits); }
  [[nodiscard]] Word& word(WorkerId id) const { return words_[index(id) / kWordBits]; }

  std::unique_ptr<Word[]> words_;
  std::size_t word_count_;
};

/// The parked workers of a pool, a bit each, in words of 64.
using IdleSet = BasicIdleSet<>;

}  // namespace artel::sync
