#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <vector>

#include "artel/core/poison.hpp"
#include "artel/sim/kernel/detail/slab_source.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {

/// Where the events of one simulation lie: an event stays in its place until it is given back.
///
/// Places are numbered, so that an EventId need not be a pointer; those not in use have tag 0. The
/// number of a place is in the head of its page. Memory returns to the system when the store ends.
/// Cost: O(1), no allocation once the most ever in use exists.
class EventStore {
 public:
  EventStore();
  EventStore(const EventStore&) = delete;
  EventStore& operator=(const EventStore&) = delete;

  /// Room for an event, its tag still 0: the place given back last, which is likely in the cache.
  [[nodiscard]] Event* take() {
    if (free_ == nullptr) [[unlikely]]
      grow();
    Event* event = free_;
    unpoison(event->payload_, sizeof event->payload_);
    std::memcpy(static_cast<void*>(&free_), event->payload_, sizeof(Event*));
    return event;
  }
  /// Requires: its payload is destroyed.
  void give_back(Event* event) {
    event->tag_ = 0;
    std::memcpy(event->payload_, static_cast<void*>(&free_), sizeof(Event*));
    poison(event->payload_, sizeof event->payload_);
    free_ = event;
  }

  /// The name of an event of any store.
  [[nodiscard]] static EventId id_of(const Event& event) { return id_of(event, event.tag_); }
  /// The same when its place may be another's by now.
  [[nodiscard]] static EventId id_of(const Event& event, std::uint64_t tag) {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(&event) % Page::kBytes;
    const auto* page =
        reinterpret_cast<const Page*>(reinterpret_cast<const std::byte*>(&event) - offset);
    const std::size_t place = page->first_place + (offset - Page::kHeader) / sizeof(Event);
    return {page->store, static_cast<std::uint32_t>(place), tag};
  }
  /// The event of that name, if it is still in its place; nullptr for those of other stores.
  [[nodiscard]] Event* find(EventId id) const {
    if (id.tag_ == 0 || id.store_ != number_) return nullptr;
    Event* event = pages_[id.place_ / Page::kEvents]->events() + id.place_ % Page::kEvents;
    return event->tag_ == id.tag_ ? event : nullptr;
  }

 private:
  struct Page {
    static constexpr std::size_t kBytes = std::size_t{64} << 10U;
    static constexpr std::size_t kHeader = 64;
    static constexpr std::size_t kEvents = (kBytes - kHeader) / sizeof(Event);

    [[nodiscard]] Event* events() {
      return reinterpret_cast<Event*>(reinterpret_cast<std::byte*>(this) + kHeader);
    }

    std::uint32_t store;
    std::uint32_t first_place;
  };
  static_assert(SlabSource::kAlignment % Page::kBytes == 0);

  void grow();

  Event* free_ = nullptr;
  std::uint32_t number_;  // of this store, in this program
  SlabSource slabs_;
  std::span<std::byte> fresh_;  // the unused rest of the newest slab
  std::vector<Page*> pages_;
};

/// The id of an event that is asked for rarely: what it takes to find it out, as the heads of the
/// pages are often not in the cache.
class EventName {
 public:
  EventName() = default;
  explicit EventName(const Event& event) : event_(&event), tag_(event.tag_) {}

  [[nodiscard]] EventId id() const { return EventStore::id_of(*event_, tag_); }

 private:
  const Event* event_ = nullptr;
  std::uint64_t tag_ = 0;
};

}  // namespace artel::sim::detail

namespace artel::sim {

inline EventId Event::id() const { return detail::EventStore::id_of(*this); }

}  // namespace artel::sim
