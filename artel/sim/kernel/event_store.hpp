#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/slab.hpp"

namespace artel::sim {

/// A block of events in the order in which they were added; lists of chunks are never moved, so an
/// event stays where it is until it was delivered.
struct EventChunk {
  static constexpr std::size_t kBytes = 512;
  static constexpr std::size_t kEvents = (kBytes - 32) / sizeof(Event);

  [[nodiscard]] Event* events() { return reinterpret_cast<Event*>(storage); }

  EventChunk* next;
  std::uint64_t unused[3];
  alignas(16) std::byte storage[kEvents * sizeof(Event)];
};
static_assert(sizeof(EventChunk) == EventChunk::kBytes, "the events end where the chunk ends");

/// Gives out chunks and single events, and takes them back for the next use. Memory returns to the
/// system when the store ends. Cost: O(1), no allocation once the most ever in use exists.
class EventStore {
 public:
  [[nodiscard]] EventChunk* take_chunk() {
    EventChunk* chunk = free_chunks_;
    if (chunk == nullptr) [[unlikely]] {
      chunk = grow();
    }
    free_chunks_ = chunk->next;
    chunk->next = nullptr;
    return chunk;
  }

  void give_back(EventChunk* chunk) {
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
  EventChunk* grow();
  void grow_singles();

  SlabSource slabs_;
  EventChunk* free_chunks_ = nullptr;
  std::vector<Event*> free_singles_;
};

/// Events in the order in which they were added: an append-only list of chunks, read from the
/// front. Chunks are aligned to their size, so an address that is a multiple of it is a chunk's
/// end.
class EventList {
 public:
  [[nodiscard]] bool empty() const { return front_ == end_; }
  [[nodiscard]] Event* front() const { return front_; }

  /// Room for one more event at the end.
  [[nodiscard]] Event* append(EventStore& store) {
    if (at_chunk_end(end_)) [[unlikely]] {
      start_chunk(store);
    }
    return end_++;
  }

  /// Removes the front. Returns the chunk that held it when that was its last: to be given back
  /// once the event is no longer needed.
  [[nodiscard]] EventChunk* pop() {
    ++front_;
    return at_chunk_end(front_) ? leave_chunk() : nullptr;
  }

  /// The event `n` places behind the front if it is in the same chunk, for prefetching.
  [[nodiscard]] const Event* ahead(std::size_t n) const {
    const auto front = reinterpret_cast<std::uintptr_t>(front_);
    const std::uintptr_t rest = EventChunk::kBytes - front % EventChunk::kBytes;  // of the chunk
    // An end in another chunk lies beyond `rest`, whether before or behind.
    const std::uintptr_t filled = reinterpret_cast<std::uintptr_t>(end_) - front;
    return n * sizeof(Event) < std::min(rest, filled) ? front_ + n : nullptr;
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
  void filter(EventStore& store, const Keep& keep) {
    EventList kept;
    for_each([&](Event& event) {
      if (keep(event)) *kept.append(store) = event;
    });
    clear(store);
    *this = kept;
  }

  void clear(EventStore& store);

 private:
  [[nodiscard]] static bool at_chunk_end(const Event* event) {
    return (reinterpret_cast<std::uintptr_t>(event) & (EventChunk::kBytes - 1)) == 0;
  }
  [[nodiscard]] static EventChunk* chunk_before(Event* end) {
    return reinterpret_cast<EventChunk*>(reinterpret_cast<std::byte*>(end) - EventChunk::kBytes);
  }

  void start_chunk(EventStore& store);
  EventChunk* leave_chunk();

  Event* end_ = nullptr;
  Event* front_ = nullptr;
};

}  // namespace artel::sim
