#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/require.hpp"

namespace artel::dispatch::detail {

/// A binary heap of workers, least key first, whose keys may change: a buffer in heap order and,
/// for every worker, its position in it.
///
/// Ties go to the lowest WorkerId.
/// Cost:    top, key, contains O(1); push, update, remove, restore O(log n); memory for ids up to
///          the highest pushed. Allocates only when a higher id than ever comes.
/// Errors:  none; positions and ids out of range break the contract.
/// Threads: one at a time.
/// Source:  R. Pike's balancer; library bheap (restore_heap_property, index_in_heap).
template <class Key>
class IndexedHeap {
 public:
  struct Entry {
    Key key;
    WorkerId id;
  };

  [[nodiscard]] bool empty() const { return buffer_.empty(); }
  [[nodiscard]] std::size_t size() const { return buffer_.size(); }
  [[nodiscard]] const Entry& top() const { return buffer_.front(); }

  [[nodiscard]] bool contains(WorkerId id) const {
    return index(id) < positions_.size() && positions_[index(id)] != kOutside;
  }

  /// Where in the buffer the worker is; nothing when it is not in the heap.
  [[nodiscard]] std::optional<std::size_t> index_in_heap(WorkerId id) const {
    if (!contains(id)) return std::nullopt;
    return positions_[index(id)];
  }

  [[nodiscard]] const Key& key(WorkerId id) const { return buffer_[position_of(id)].key; }

  /// Adds a worker that is not in the heap.
  void push(WorkerId id, Key key) {
    ARTEL_REQUIRE(!contains(id), "the worker is in the heap already", index(id));
    if (index(id) >= positions_.size()) positions_.resize(index(id) + 1, kOutside);
    buffer_.push_back(Entry{std::move(key), id});
    positions_[index(id)] = static_cast<std::uint32_t>(buffer_.size() - 1);
    sift_up(buffer_.size() - 1);
  }

  /// Gives a worker of the heap a new key.
  void update(WorkerId id, Key key) {
    const std::size_t position = position_of(id);
    buffer_[position].key = std::move(key);
    restore(position);
  }

  /// Takes a worker out of the heap.
  void remove(WorkerId id) {
    const std::size_t position = position_of(id);
    positions_[index(id)] = kOutside;
    if (position + 1 != buffer_.size()) {
      place(position, std::move(buffer_.back()));
      buffer_.pop_back();
      restore(position);
    } else {
      buffer_.pop_back();
    }
  }

  /// Repairs the heap after the key at `position` changed: sifts it up, or else down.
  void restore(std::size_t position) {
    ARTEL_REQUIRE(position < buffer_.size(), "no such position", position, buffer_.size());
    if (!sift_up(position)) sift_down(position);
  }

 private:
  static constexpr std::uint32_t kOutside = std::numeric_limits<std::uint32_t>::max();

  static bool before(const Entry& a, const Entry& b) {
    if (a.key < b.key) return true;
    return !(b.key < a.key) && a.id < b.id;
  }

  [[nodiscard]] std::size_t position_of(WorkerId id) const {
    ARTEL_REQUIRE(contains(id), "the worker is not in the heap", index(id));
    return positions_[index(id)];
  }

  void place(std::size_t position, Entry entry) {
    positions_[index(entry.id)] = static_cast<std::uint32_t>(position);
    buffer_[position] = std::move(entry);
  }

  bool sift_up(std::size_t position) {
    const std::size_t start = position;
    Entry moving = std::move(buffer_[position]);
    while (position > 0) {
      const std::size_t parent = (position - 1) / 2;
      if (!before(moving, buffer_[parent])) break;
      place(position, std::move(buffer_[parent]));
      position = parent;
    }
    place(position, std::move(moving));
    return position != start;
  }

  void sift_down(std::size_t position) {
    Entry moving = std::move(buffer_[position]);
    while (true) {
      std::size_t child = 2 * position + 1;
      if (child >= buffer_.size()) break;
      if (child + 1 < buffer_.size() && before(buffer_[child + 1], buffer_[child])) ++child;
      if (!before(buffer_[child], moving)) break;
      place(position, std::move(buffer_[child]));
      position = child;
    }
    place(position, std::move(moving));
  }

  std::vector<Entry> buffer_;
  std::vector<std::uint32_t> positions_;
};

}  // namespace artel::dispatch::detail
