#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace artel::sim::detail {

/// A hash table from numbers other than 0 to small values: open addressing, linear probing, at most
/// half full, no tombstones. Numbers that differ in their lowest bits only lie side by side, as
/// numbers given out one after the other are mostly asked for so, too.
///
/// Nothing may depend on the order of `for_each`. Cost: O(1); allocates only when it grows.
template <class Value>
class FlatMap {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  /// The value of `key`, or nullptr; valid until the next insert or erase.
  [[nodiscard]] Value* find(std::uint64_t key) {
    return const_cast<Value*>(std::as_const(*this).find(key));
  }
  [[nodiscard]] const Value* find(std::uint64_t key) const {
    if (size_ == 0) return nullptr;
    for (std::size_t i = home(key);; i = next(i)) {
      if (cells_[i].key == key) return &cells_[i].value;
      if (cells_[i].key == 0) return nullptr;
    }
  }

  /// The value of `key`, which is made from `value` if it is new; second: whether it is new.
  std::pair<Value*, bool> insert(std::uint64_t key, Value value) {
    if (2 * size_ + 1 > mask_) grow();
    std::size_t i = home(key);
    for (; cells_[i].key != 0; i = next(i)) {
      if (cells_[i].key == key) return {&cells_[i].value, false};
    }
    cells_[i] = {key, value};
    ++size_;
    return {&cells_[i].value, true};
  }

  bool erase(std::uint64_t key) {
    Value* value = find(key);
    if (value != nullptr) erase(value);
    return value != nullptr;
  }
  /// Requires: `value` is one that find() or insert() gave, and still valid.
  void erase(const Value* value) {
    const auto offset = reinterpret_cast<const std::byte*>(value) -
                        reinterpret_cast<const std::byte*>(cells_.data());
    std::size_t hole = static_cast<std::size_t>(offset) / sizeof(Cell);
    // Whoever would no longer be found behind the hole moves into it.
    for (std::size_t i = next(hole); cells_[i].key != 0; i = next(i)) {
      if (((i - home(cells_[i].key)) & mask_) >= ((i - hole) & mask_)) {
        cells_[hole] = cells_[i];
        hole = i;
      }
    }
    cells_[hole] = {};
    --size_;
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const Cell& cell : cells_) {
      if (cell.key != 0) visit(cell.key, cell.value);
    }
  }

 private:
  struct Cell {
    std::uint64_t key = 0;
    Value value{};
  };

  static constexpr std::uint64_t kSideBySide = 4;

  [[nodiscard]] std::size_t home(std::uint64_t key) const {
    const std::uint64_t group = key / kSideBySide;
    const std::uint64_t spread = (group ^ group >> 32U) * 0x9e3779b97f4a7c15;  // Fibonacci hashing
    return static_cast<std::size_t>((spread >> shift_) * kSideBySide + key % kSideBySide);
  }
  [[nodiscard]] std::size_t next(std::size_t i) const { return (i + 1) & mask_; }

  void grow() {
    std::vector<Cell> old = std::move(cells_);
    cells_.assign(old.empty() ? 16 : 2 * old.size(), Cell{});
    mask_ = cells_.size() - 1;
    shift_ = 64U - static_cast<unsigned>(std::countr_zero(cells_.size() / kSideBySide));
    size_ = 0;
    for (const Cell& cell : old) {
      if (cell.key != 0) insert(cell.key, cell.value);
    }
  }

  std::vector<Cell> cells_;
  std::size_t size_ = 0;
  std::size_t mask_ = 0;  // cells, less one
  unsigned shift_ = 63;
};

}  // namespace artel::sim::detail
