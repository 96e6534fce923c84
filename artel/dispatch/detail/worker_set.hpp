#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"

namespace artel::dispatch::detail {

/// A set of workers, in order of id: a bit per worker, and a count per block of bits.
///
/// Cost:    insert, erase, contains O(1); nth, next O(workers / 1024 + 16). 1/8 byte per worker.
/// Threads: one at a time.
class WorkerSet {
 public:
  /// Makes room for ids below `workers`, never fewer than before; new ones start outside the set.
  void resize(std::size_t workers);

  [[gnu::always_inline]] void insert(WorkerId id) { assign(id, true); }
  [[gnu::always_inline]] void erase(WorkerId id) { assign(id, false); }

  [[gnu::always_inline]] void assign(WorkerId id, bool member) {
    std::uint64_t& word = words_[index(id) / kWordBits];
    const std::uint64_t bit = std::uint64_t{1} << (index(id) % kWordBits);
    if (((word & bit) != 0) == member) return;
    word ^= bit;
    const std::uint32_t change = member ? 1 : ~std::uint32_t{0};  // plus or minus one
    block_counts_[index(id) / kBlockBits] += change;
    count_ += change;
  }

  [[nodiscard]] bool contains(WorkerId id) const {
    return (words_[index(id) / kWordBits] >> (index(id) % kWordBits) & 1U) != 0;
  }

  [[nodiscard]] std::size_t count() const { return count_; }

  /// The k-th member in order of id, from 0; nothing when k >= count().
  [[nodiscard]] std::optional<WorkerId> nth(std::size_t k) const;

  /// The first member at or after `from`, going round; nothing when the set is empty.
  [[nodiscard]] std::optional<WorkerId> next(WorkerId from) const;

 private:
  static constexpr std::size_t kWordBits = 64;
  static constexpr std::size_t kBlockWords = 16;
  static constexpr std::size_t kBlockBits = kBlockWords * kWordBits;

  [[nodiscard]] std::optional<WorkerId> first_at_or_after(std::size_t from) const;

  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> block_counts_;
  std::uint32_t count_ = 0;
};

}  // namespace artel::dispatch::detail
