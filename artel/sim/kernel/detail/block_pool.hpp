#pragma once

#include <array>
#include <cstddef>
#include <new>
#include <span>

#include "artel/core/poison.hpp"
#include "artel/sim/kernel/detail/slab_source.hpp"

namespace artel::sim::detail {

/// Memory that is used over and over: payloads too large for an event, coroutine frames,
/// components. Blocks are multiples of kStep, aligned as far as a power of two divides their size,
/// up to whole cache lines; those above kLargest come from operator new.
///
/// Cost: O(1), no allocation once the most ever in use exists. Threads: one.
class BlockPool {
 public:
  static constexpr std::size_t kLine = 64;
  static constexpr std::size_t kStep = 16;
  static constexpr std::size_t kLargest = 2048;

  /// So many bytes in whole cache lines, for what shall begin with one.
  [[nodiscard]] static constexpr std::size_t in_lines(std::size_t bytes) {
    return (bytes + kLine - 1) / kLine * kLine;
  }

  BlockPool() = default;
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  [[nodiscard]] void* take(std::size_t bytes) {
    ++in_use_;
    if (bytes > kLargest) [[unlikely]]
      return ::operator new(bytes, std::align_val_t{kLine});
    Free*& list = free_[size_class(bytes)];
    if (list == nullptr) [[unlikely]] {
      grow(size_class(bytes));
    }
    Free* block = list;
    unpoison(block, sizeof(Free));  // which may be more than is asked for
    list = block->next;
    poison(block, sizeof(Free));
    unpoison(block, bytes);
    return block;
  }

  /// Takes back what take(bytes) gave.
  void give_back(void* block, std::size_t bytes) {
    --in_use_;
    if (bytes > kLargest) [[unlikely]] {
      ::operator delete(block, std::align_val_t{kLine});
      return;
    }
    Free*& list = free_[size_class(bytes)];
    unpoison(block, sizeof(Free));
    list = ::new (block) Free{list};
    poison(block, size_class(bytes) * kStep);
  }

  /// Blocks taken and not given back: 0 at the end, or something leaks.
  [[nodiscard]] std::size_t in_use() const { return in_use_; }

 private:
  struct Free {
    Free* next;
  };
  static std::size_t size_class(std::size_t bytes) { return (bytes + kStep - 1) / kStep; }
  void grow(std::size_t size_class);

  std::array<Free*, kLargest / kStep + 1> free_{};
  SlabSource slabs_;
  std::span<std::byte> fresh_;  // the unused rest of the newest slab
  std::size_t in_use_ = 0;
};

}  // namespace artel::sim::detail
