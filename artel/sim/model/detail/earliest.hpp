#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::sim::detail {

/// The earliest of n times, each of which may change: a tournament tree.
///
/// Cost: set O(log n), at most; time and number of the earliest O(1) and O(log n). Of equal times
/// the lowest number wins.
class Earliest {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  /// New places are kNever. O(n) each time the size doubles.
  void grow_to(std::size_t size) {
    size_ = std::max(size_, size);
    if (size_ <= leaves_) return;
    std::size_t leaves = std::max<std::size_t>(leaves_, 1);
    while (leaves < size_) leaves *= 2;
    std::vector<Instant> tree(2 * leaves, kNever);
    std::copy_n(tree_.begin() + static_cast<std::ptrdiff_t>(leaves_), leaves_,
                tree.begin() + static_cast<std::ptrdiff_t>(leaves));
    for (std::size_t i = leaves - 1; i > 0; --i) tree[i] = std::min(tree[2 * i], tree[2 * i + 1]);
    tree_ = std::move(tree);
    leaves_ = leaves;
  }

  void set(std::size_t place, Instant time) {
    std::size_t i = leaves_ + place;
    tree_[i] = time;
    for (i /= 2; i > 0; i /= 2) {
      const Instant least = std::min(tree_[2 * i], tree_[2 * i + 1]);
      if (tree_[i] == least) return;
      tree_[i] = least;
    }
  }

  /// kNever when there is none.
  [[nodiscard]] Instant time() const { return leaves_ == 0 ? kNever : tree_[1]; }
  /// Requires: time() != kNever.
  [[nodiscard]] std::size_t place() const {
    std::size_t i = 1;
    while (i < leaves_) i = tree_[2 * i] == tree_[i] ? 2 * i : 2 * i + 1;
    return i - leaves_;
  }

 private:
  std::size_t size_ = 0;
  std::size_t leaves_ = 0;     // a power of two
  std::vector<Instant> tree_;  // 1: the root; leaves_ + i: place i
};

}  // namespace artel::sim::detail
