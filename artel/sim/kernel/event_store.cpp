#include "artel/sim/kernel/event_store.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

#include "artel/sim/kernel/slab.hpp"

namespace artel::sim {

EventChunk* EventStore::grow() {
  static_assert(SlabSource::kAlignment % EventChunk::kBytes == 0);
  const std::span<std::byte> slab = slabs_.take();
  for (std::size_t at = slab.size(); at > 0; at -= EventChunk::kBytes) {
    give_back(::new (&slab[at - EventChunk::kBytes]) EventChunk);
  }
  return free_chunks_;
}

void EventStore::grow_singles() {
  EventChunk* chunk = take_chunk();
  for (std::size_t i = EventChunk::kEvents; i > 0; --i) {
    free_singles_.push_back(chunk->events() + i - 1);
  }
}

void EventList::clear(EventStore& store) {
  if (end_ == nullptr) return;
  // front_ is never left at a chunk's end, so it lies in the first chunk.
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(front_) % EventChunk::kBytes;
  auto* chunk = reinterpret_cast<EventChunk*>(reinterpret_cast<std::byte*>(front_) - offset);
  while (chunk != nullptr) {
    EventChunk* next = chunk->next;
    store.give_back(chunk);
    chunk = next;
  }
  end_ = front_ = nullptr;
}

void EventList::start_chunk(EventStore& store) {
  EventChunk* chunk = store.take_chunk();
  if (end_ == nullptr) {
    front_ = chunk->events();
  } else {
    chunk_before(end_)->next = chunk;
  }
  end_ = chunk->events();
}

EventChunk* EventList::leave_chunk() {
  EventChunk* left = chunk_before(front_);
  if (front_ == end_) {
    front_ = end_ = nullptr;
  } else {
    front_ = left->next->events();
  }
  return left;
}

}  // namespace artel::sim
