#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "artel/core/require.hpp"

namespace artel::fleet::detail {

/// Chunks of elements that the queues of one fleet hand to each other, so that thousands of
/// short queues cost little and a long one is given back when it has drained.
///
/// Cost:    take and give O(1); memory: the most chunks that were ever in use at once.
/// Threads: one at a time.
template <class T>
class ChunkStore {
 public:
  static constexpr std::uint32_t kElements = 16;  ///< per chunk

  struct Chunk {
    Chunk* next = nullptr;
    alignas(T) std::byte storage[kElements * sizeof(T)];

    [[nodiscard]] T* at(std::uint32_t i) { return reinterpret_cast<T*>(storage) + i; }
  };

  [[nodiscard]] Chunk* take() {
    if (free_ == nullptr) {
      slabs_.push_back(std::make_unique_for_overwrite<Chunk[]>(kSlabChunks));
      for (std::size_t i = kSlabChunks; i-- > 0;) give(&slabs_.back()[i]);
    }
    return std::exchange(free_, free_->next);
  }

  void give(Chunk* chunk) { chunk->next = std::exchange(free_, chunk); }

 private:
  static constexpr std::size_t kSlabChunks = 64;

  std::vector<std::unique_ptr<Chunk[]>> slabs_;
  Chunk* free_ = nullptr;
};

/// A first-in, first-out queue without bound, in chunks from a store that outlives it.
///
/// Cost:    O(1), no allocation once the store has grown. Memory: sizeof(T) + 1/2 byte per element,
///          and one chunk per queue that was ever used.
/// Requires: T moves without throwing.
/// Threads: one at a time for all queues of a store.
template <class T>
class Fifo {
 public:
  using Store = ChunkStore<T>;

  explicit Fifo(Store& store) : store_(&store) {}
  Fifo(Fifo&& other) noexcept
      : store_(other.store_),
        head_(std::exchange(other.head_, nullptr)),
        tail_(std::exchange(other.tail_, nullptr)),
        first_(std::exchange(other.first_, 0)),
        end_(std::exchange(other.end_, 0)),
        size_(std::exchange(other.size_, 0)) {}
  Fifo& operator=(Fifo&&) = delete;
  ~Fifo() {
    while (!empty()) (void)pop();
    if (head_ != nullptr) store_->give(head_);
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// The element that pop() would return; not empty.
  [[nodiscard]] const T& front() const { return *head_->at(first_); }

  [[gnu::always_inline]] void push(T value) {
    if (head_ == nullptr) {
      head_ = tail_ = store_->take();
    } else if (end_ == Store::kElements) {
      tail_->next = store_->take();
      tail_ = tail_->next;
      end_ = 0;
    }
    std::construct_at(tail_->at(end_), std::move(value));
    ++end_;
    ++size_;
  }

  /// Takes the oldest element; not empty.
  [[gnu::always_inline]] T pop() {
    ARTEL_REQUIRE(size_ > 0, "the queue is empty");
    T* const oldest = head_->at(first_);
    T value = std::move(*oldest);
    std::destroy_at(oldest);
    ++first_;
    if (--size_ == 0) {
      first_ = end_ = 0;  // head and tail are one chunk, which the queue keeps
    } else if (first_ == Store::kElements) {
      auto* const drained = std::exchange(head_, head_->next);
      store_->give(drained);
      first_ = 0;
    }
    return value;
  }

 private:
  using Chunk = typename Store::Chunk;

  Store* store_;
  Chunk* head_ = nullptr;
  Chunk* tail_ = nullptr;
  std::uint32_t first_ = 0;  // of the oldest element, in head
  std::uint32_t end_ = 0;    // one past the newest element, in tail
  std::size_t size_ = 0;
};

}  // namespace artel::fleet::detail
