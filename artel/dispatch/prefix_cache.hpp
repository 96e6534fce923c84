#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "artel/dispatch/load.hpp"

namespace artel::dispatch {

/// What one worker has in its cache of prefixes: blocks by key, of which those go first that were
/// used least recently.
///
/// A block is of use only if all before it are there, too: the key of a block stands for everything
/// up to its end (a chained hash, say). A router that keeps one per worker, and has it use() what
/// it sends there, knows about what the workers' own caches hold: see Affinity.
///
/// There are never more than capacity() blocks: those that were used last. Within one use(), the
/// first block is the oldest.
/// Cost:    matched() one look-up per block that is there, and one; use() one or two per block.
///          Memory: 20 to 28 bytes per block that was ever held at once; allocates as it grows.
/// Threads: one at a time; matched() and the like from several.
class PrefixCache {
 public:
  /// Requires: 1 <= blocks. kUnbounded: nothing ever goes.
  explicit PrefixCache(std::uint32_t blocks = kUnbounded);

  /// How many of these blocks are there, from the first one on, without a gap.
  [[nodiscard]] std::size_t matched(std::span<const std::uint64_t> prefix) const {
    std::size_t count = 0;
    while (count < prefix.size() && table_[place_of(prefix[count])] != kFree) ++count;
    return count;
  }
  /// All of these blocks are there from now on, as far as there is room: what was used least
  /// recently goes for them.
  void use(std::span<const std::uint64_t> prefix);
  /// Nothing is there any more.
  void clear();

  /// Blocks that are there, and that there is room for.
  [[nodiscard]] std::size_t size() const { return blocks_.size(); }
  [[nodiscard]] std::uint32_t capacity() const { return capacity_; }

 private:
  // In the order of their last use: a ring through all of them, `newest_` first.
  struct Block {
    std::uint64_t key = 0;
    std::uint32_t older = 0;
    std::uint32_t newer = 0;
  };
  static constexpr std::uint32_t kFree = kUnbounded;

  // Where the key's search begins.
  [[nodiscard]] std::size_t home_of(std::uint64_t key) const {
    return static_cast<std::size_t>(((key ^ (key >> 32U)) * 0x9E3779B97F4A7C15U) >> shift_);
  }
  // Where the key is, or would be.
  [[nodiscard]] std::size_t place_of(std::uint64_t key) const {
    std::size_t place = home_of(key);
    while (table_[place] != kFree && blocks_[table_[place]].key != key)
      place = (place + 1) & (table_.size() - 1);
    return place;
  }
  void add(std::uint64_t key);
  void renew(std::uint32_t block);
  void unlink(std::uint32_t block);
  void link_newest(std::uint32_t block);
  void erase(std::size_t place);
  void grow();

  std::uint32_t capacity_;
  unsigned shift_ = 0;        // 64 - log2 of the table's size
  std::uint32_t newest_ = 0;  // if there is any block
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> table_;  // open addressing, at most half full: numbers of blocks
};

}  // namespace artel::dispatch
