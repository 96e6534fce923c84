#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace artel::sim::detail {

/// A hash table from numbers other than 0 to small values: open addressing, linear probing, at most
/// half full, no tombstones.
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
    if (2 * (size_ + 1) > cells_.size()) grow();
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
    if (value == nullptr) return false;
    std::size_t hole = home(key);
    while (&cells_[hole].value != value) hole = next(hole);
    // Whoever would no longer be found behind the hole moves into it.
    for (std::size_t i = next(hole); cells_[i].key != 0; i = next(i)) {
      const std::size_t mask = cells_.size() - 1;
      if (((i - home(cells_[i].key)) & mask) >= ((i - hole) & mask)) {
        cells_[hole] = cells_[i];
        hole = i;
      }
    }
    cells_[hole] = {};
    --size_;
    return true;
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

  [[nodiscard]] std::size_t home(std::uint64_t key) const {
    const std::uint64_t spread = (key ^ key >> 32U) * 0x9e3779b97f4a7c15;  // Fibonacci hashing
    return static_cast<std::size_t>(spread >> shift_);
  }
  [[nodiscard]] std::size_t next(std::size_t i) const { return (i + 1) & (cells_.size() - 1); }

  void grow() {
    std::vector<Cell> old = std::move(cells_);
    cells_.assign(old.empty() ? 16 : 2 * old.size(), Cell{});
    shift_ = 64U - static_cast<unsigned>(std::countr_zero(cells_.size()));
    size_ = 0;
    for (const Cell& cell : old) {
      if (cell.key != 0) insert(cell.key, cell.value);
    }
  }

  std::vector<Cell> cells_;
  std::size_t size_ = 0;
  unsigned shift_ = 60;
};

}  // namespace artel::sim::detail
