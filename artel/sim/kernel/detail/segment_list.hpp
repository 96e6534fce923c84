#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "artel/sim/kernel/detail/slab_source.hpp"

namespace artel::sim::detail {

/// A block of values in the order in which they were added.
///
/// The values end where the segment ends, and segments are aligned to their size: an address says
/// by itself whether it is the end of a segment, and where that segment begins. A list needs no
/// counters.
template <class T>
struct Segment {
  static constexpr std::size_t kBytes = 512;
  static constexpr std::size_t kValues = (kBytes - sizeof(void*)) / sizeof(T);
  static constexpr std::size_t kHeader = kBytes - kValues * sizeof(T);

  [[nodiscard]] T* values() { return reinterpret_cast<T*>(storage); }

  Segment* next;
  std::byte unused[kHeader - sizeof(void*)];
  alignas(T) std::byte storage[kValues * sizeof(T)];
};

/// Gives out segments and takes them back for the next use. Memory returns to the system when the
/// store ends. Cost: O(1), no allocation once the most ever in use exists.
template <class T>
class SegmentStore {
 public:
  static_assert(sizeof(Segment<T>) == Segment<T>::kBytes, "the values end where the segment ends");
  static_assert(SlabSource::kAlignment % Segment<T>::kBytes == 0);

  /// The one given back last, which is the likeliest to be in the cache.
  [[nodiscard]] Segment<T>* take() {
    if (free_ == nullptr) [[unlikely]]
      grow();
    Segment<T>* segment = free_;
    free_ = segment->next;
    segment->next = nullptr;
    return segment;
  }
  void give_back(Segment<T>* segment) {
    segment->next = free_;
    free_ = segment;
  }

 private:
  [[gnu::noinline]] void grow() {
    const std::span<std::byte> slab = slabs_.take();
    for (std::size_t at = slab.size(); at > 0; at -= Segment<T>::kBytes) {
      give_back(::new (&slab[at - Segment<T>::kBytes]) Segment<T>);
    }
  }

  SlabSource slabs_;
  Segment<T>* free_ = nullptr;
};

/// Small values in the order in which they were added: a list of segments, read from the front.
///
/// Invariants:
///   1. Empty: front_ == end_. Never appended to, or emptied by pop at a segment's end: both nullptr.
///   2. end_ may stand at the end of a segment (the next append starts another), front_ never does.
/// Two pointers and no destructor: whoever is done with one calls clear(), also when it is empty;
/// else its segment is lost until the store ends.
template <class T>
class SegmentList {
 public:
  [[nodiscard]] bool empty() const { return front_ == end_; }
  /// Requires, for both: not empty.
  [[nodiscard]] const T& front() const { return *front_; }
  [[nodiscard]] const T& back() const { return *(end_ - 1); }

  void append(const T& value, SegmentStore<T>& store) {
    if (at_segment_end(end_)) [[unlikely]]
      start_segment(store);
    *end_++ = value;
  }

  /// Removes the front.
  void pop(SegmentStore<T>& store) {
    ++front_;
    if (at_segment_end(front_)) [[unlikely]]
      leave_segment(store);
  }

  /// The value `n` places behind the front if it is in the same segment or the next, for
  /// prefetching.
  [[nodiscard]] const T* ahead(std::size_t n) const {
    const auto front = reinterpret_cast<std::uintptr_t>(front_);
    const std::uintptr_t rest = kBytes - front % kBytes;  // of the segment
    // An end in another segment lies beyond `rest`, whether before or behind.
    const std::uintptr_t filled = reinterpret_cast<std::uintptr_t>(end_) - front;
    if (n * sizeof(T) < rest) return n * sizeof(T) < filled ? front_ + n : nullptr;
    if (filled <= rest) return nullptr;
    Segment<T>* next = segment_before(front_ + rest / sizeof(T))->next;
    const T* value = next->values() + (n - rest / sizeof(T));
    const auto begin = reinterpret_cast<std::uintptr_t>(next);
    const std::uintptr_t next_filled = reinterpret_cast<std::uintptr_t>(end_) - begin;
    return reinterpret_cast<std::uintptr_t>(value) - begin < std::min(next_filled, kBytes)
               ? value
               : nullptr;
  }

  /// Visits them in order until `visit(value)` says false; whether it never did.
  template <class Visit>
  bool visit_while(const Visit& visit) const {
    for (T* value = front_; value != end_;) {
      if (!visit(*value)) return false;
      ++value;
      if (at_segment_end(value) && value != end_) value = segment_before(value)->next->values();
    }
    return true;
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    visit_while([&](T& value) {
      visit(value);
      return true;
    });
  }

  /// Whether it has more than `most` segments. O(most).
  [[nodiscard]] bool longer_than(std::size_t most) const {
    if (end_ == nullptr) return false;
    const Segment<T>* segment = first_segment();
    while (segment != nullptr && most != 0) {
      segment = segment->next;
      --most;
    }
    return segment != nullptr;
  }

  /// Puts a value before the first of which `is_behind(value)` says so, if there are fewer than
  /// `most` before that one; these move. False, without effect, if not. Requires: not empty.
  template <class IsBehind>
  [[nodiscard]] bool insert_early(const T& value, std::size_t most, SegmentStore<T>& store,
                                  const IsBehind& is_behind) {
    std::size_t before = 0;
    const bool none =
        visit_while([&](const T& other) { return !is_behind(other) && ++before < most; });
    if (none || before == most) return false;
    extend_front(store);
    T* place = front_;
    for (; before != 0; --before) {
      T* next = place + 1;
      if (at_segment_end(next)) next = segment_before(next)->next->values();
      *place = *next;
      place = next;
    }
    *place = value;
    return true;
  }

  /// Keeps those for which `keep` says so, in order.
  template <class Keep>
  void filter(SegmentStore<T>& store, const Keep& keep) {
    SegmentList kept;
    for_each([&](const T& value) {
      if (keep(value)) kept.append(value, store);
    });
    clear(store);
    *this = kept;
  }

  void clear(SegmentStore<T>& store) {
    if (end_ == nullptr) return;
    Segment<T>* segment = first_segment();
    while (segment != nullptr) {
      Segment<T>* next = segment->next;
      store.give_back(segment);
      segment = next;
    }
    end_ = front_ = nullptr;
  }

 private:
  static constexpr std::uintptr_t kBytes = Segment<T>::kBytes;

  [[nodiscard]] static bool at_segment_end(const T* value) {
    return (reinterpret_cast<std::uintptr_t>(value) & (kBytes - 1)) == 0;
  }
  [[nodiscard]] static Segment<T>* segment_before(T* end) {
    return reinterpret_cast<Segment<T>*>(reinterpret_cast<std::byte*>(end) - kBytes);
  }

  /// front_ is never left at a segment's end, so it lies in the first segment.
  [[nodiscard]] Segment<T>* first_segment() const {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(front_) % kBytes;
    return reinterpret_cast<Segment<T>*>(reinterpret_cast<std::byte*>(front_) - offset);
  }

  [[gnu::noinline]] void start_segment(SegmentStore<T>& store) {
    Segment<T>* segment = store.take();
    if (end_ == nullptr) {
      front_ = segment->values();
    } else {
      segment_before(end_)->next = segment;
    }
    end_ = segment->values();
  }
  /// One more place before the front.
  void extend_front(SegmentStore<T>& store) {
    Segment<T>* first = first_segment();
    if (front_ == first->values()) {
      Segment<T>* segment = store.take();
      segment->next = first;
      front_ = segment->values() + Segment<T>::kValues;
    }
    --front_;
  }
  void leave_segment(SegmentStore<T>& store) {
    Segment<T>* left = segment_before(front_);
    if (front_ == end_) {
      front_ = end_ = nullptr;
    } else {
      front_ = left->next->values();
    }
    store.give_back(left);
  }

  T* end_ = nullptr;
  T* front_ = nullptr;
};

}  // namespace artel::sim::detail
