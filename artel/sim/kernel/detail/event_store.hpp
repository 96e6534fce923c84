#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "artel/sim/kernel/detail/slab_source.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {

/// A block of events in the order in which they were added; lists of chunks are never moved, so an
/// event stays where it is until it was delivered.
///
/// The events end where the chunk ends, and chunks are aligned to their size: an address says by
/// itself whether it is the end of a chunk, and where that chunk begins. A list needs no counters.
template <std::size_t kBytes>
struct EventChunk {
  static constexpr std::size_t kEvents = (kBytes - sizeof(void*)) / sizeof(Event);
  static constexpr std::size_t kHeader = kBytes - kEvents * sizeof(Event);

  [[nodiscard]] Event* events() { return reinterpret_cast<Event*>(storage); }

  EventChunk* next;
  std::byte unused[kHeader - sizeof(void*)];
  alignas(16) std::byte storage[kEvents * sizeof(Event)];
};

/// Gives out chunks and single events, and takes them back for the next use. Memory returns to the
/// system when the store ends. Cost: O(1), no allocation once the most ever in use exists.
template <std::size_t kBytes>
class EventStore {
 public:
  using Chunk = EventChunk<kBytes>;
  static_assert(sizeof(Chunk) == kBytes, "the events end where the chunk ends");

  /// The one given back last, which is the likeliest to be in the cache.
  [[nodiscard]] Chunk* take_chunk() {
    Chunk* chunk = free_chunks_;
    if (chunk == nullptr) [[unlikely]] {
      chunk = grow();
    }
    free_chunks_ = chunk->next;
    chunk->next = nullptr;
    return chunk;
  }

  void give_back(Chunk* chunk) {
    chunk->next = free_chunks_;
    free_chunks_ = chunk;
  }

  [[nodiscard]] Event* take_single() {
    if (free_singles_.empty()) [[unlikely]] {
      grow_singles();
    }
    Event* event = free_singles_.back();
    free_singles_.pop_back();
    return event;
  }

  void give_back(Event* single) { free_singles_.push_back(single); }

 private:
  Chunk* grow() {
    static_assert(SlabSource::kAlignment % kBytes == 0);
    const std::span<std::byte> slab = slabs_.take();
    for (std::size_t at = slab.size(); at > 0; at -= kBytes) {
      give_back(::new (&slab[at - kBytes]) Chunk);
    }
    return free_chunks_;
  }
  void grow_singles() {
    Chunk* chunk = take_chunk();
    for (std::size_t i = Chunk::kEvents; i > 0; --i) {
      free_singles_.push_back(chunk->events() + i - 1);
    }
  }

  SlabSource slabs_;
  Chunk* free_chunks_ = nullptr;
  std::vector<Event*> free_singles_;
};

/// Events in the order in which they were added: an append-only list of chunks, read from the
/// front.
///
/// Invariants:
///   1. Empty: front_ == end_. Never appended to, or emptied by pop at a chunk's end: both nullptr.
///   2. end_ may stand at the end of a chunk (the next append starts another), front_ never does.
/// Two pointers and no destructor: the wheel has up to a million of these. Whoever is done with one
/// calls clear(), also when it is empty; else its chunk is lost until the store ends.
template <std::size_t kBytes>
class EventList {
 public:
  using Chunk = EventChunk<kBytes>;
  using Store = EventStore<kBytes>;

  [[nodiscard]] bool empty() const { return front_ == end_; }
  [[nodiscard]] Event* front() const { return front_; }

  /// Room for one more event at the end.
  [[nodiscard]] Event* append(Store& store) {
    if (at_chunk_end(end_)) [[unlikely]] {
      start_chunk(store);
    }
    return end_++;
  }

  /// Removes the front. Returns the chunk that held it when that was its last: to be given back
  /// once the event is no longer needed.
  [[nodiscard]] Chunk* pop() {
    ++front_;
    return at_chunk_end(front_) ? leave_chunk() : nullptr;
  }

  /// The event `n` places behind the front if it is in the same chunk or the next, for prefetching.
  [[nodiscard]] const Event* ahead(std::size_t n) const {
    const auto front = reinterpret_cast<std::uintptr_t>(front_);
    const std::uintptr_t rest = kBytes - front % kBytes;  // of the chunk
    // An end in another chunk lies beyond `rest`, whether before or behind.
    const std::uintptr_t filled = reinterpret_cast<std::uintptr_t>(end_) - front;
    const std::uintptr_t distance = n * sizeof(Event);
    if (distance < rest) return distance < filled ? front_ + n : nullptr;
    if (filled <= rest) return nullptr;
    Chunk* next = chunk_before(front_ + rest / sizeof(Event))->next;
    const Event* event = next->events() + (n - rest / sizeof(Event));
    const std::uintptr_t next_filled =
        reinterpret_cast<std::uintptr_t>(end_) - reinterpret_cast<std::uintptr_t>(next);
    const std::uintptr_t place =
        reinterpret_cast<std::uintptr_t>(event) - reinterpret_cast<std::uintptr_t>(next);
    return place < std::min<std::uintptr_t>(next_filled, kBytes) ? event : nullptr;
  }

  template <class Visit>
  void for_each(const Visit& visit) const {
    for (Event* event = front_; event != end_;) {
      visit(*event);
      ++event;
      if (at_chunk_end(event) && event != end_) event = chunk_before(event)->next->events();
    }
  }

  /// Keeps the events for which `keep` says so, in order.
  template <class Keep>
  void filter(Store& store, const Keep& keep) {
    EventList kept;
    for_each([&](Event& event) {
      if (keep(event)) *kept.append(store) = event;
    });
    clear(store);
    *this = kept;
  }

  void clear(Store& store) {
    if (end_ == nullptr) return;
    // front_ is never left at a chunk's end, so it lies in the first chunk.
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(front_) % kBytes;
    auto* chunk = reinterpret_cast<Chunk*>(reinterpret_cast<std::byte*>(front_) - offset);
    while (chunk != nullptr) {
      Chunk* next = chunk->next;
      store.give_back(chunk);
      chunk = next;
    }
    end_ = front_ = nullptr;
  }

 private:
  [[nodiscard]] static bool at_chunk_end(const Event* event) {
    return (reinterpret_cast<std::uintptr_t>(event) & (kBytes - 1)) == 0;
  }
  [[nodiscard]] static Chunk* chunk_before(Event* end) {
    return reinterpret_cast<Chunk*>(reinterpret_cast<std::byte*>(end) - kBytes);
  }

  void start_chunk(Store& store) {
    Chunk* chunk = store.take_chunk();
    if (end_ == nullptr) {
      front_ = chunk->events();
    } else {
      chunk_before(end_)->next = chunk;
    }
    end_ = chunk->events();
  }
  Chunk* leave_chunk() {
    Chunk* left = chunk_before(front_);
    if (front_ == end_) {
      front_ = end_ = nullptr;
    } else {
      front_ = left->next->events();
    }
    return left;
  }

  Event* end_ = nullptr;
  Event* front_ = nullptr;
};

}  // namespace artel::sim::detail
