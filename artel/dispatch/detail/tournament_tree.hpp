#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"

namespace artel::dispatch::detail {

/// Workers by keys that may change: which have the least key, and how many they are.
///
/// A tournament: every worker has a leaf, and every node above two others has the least key of
/// those below it with the number of workers that have it.
/// Cost:    set, erase, nth_least O(log n), fewer where little changes; count_least O(1). A worker
///          takes 32 bytes, for a power of two of them. Allocates only in resize().
/// Requires: keys are not NaN; ids below the size.
/// Threads: one at a time.
class TournamentTree {
 public:
  /// Makes room for ids below `workers`, never fewer than before; new ones are outside.
  void resize(std::size_t workers);

  /// The worker takes part with this key from now on.
  void set(WorkerId id, double key) { place(id, {key, 1}); }
  /// It takes no part.
  void erase(WorkerId id) { place(id, {}); }

  /// How many have the least key.
  [[nodiscard]] std::size_t count_least() const { return nodes_.empty() ? 0 : nodes_[1].count; }
  /// The k-th of them in order of id, from 0; nothing beyond the last.
  [[nodiscard]] std::optional<WorkerId> nth_least(std::size_t k) const {
    if (k >= count_least()) return std::nullopt;
    const double least = nodes_[1].key;
    std::size_t node = 1;
    while (node < leaves_) {
      node *= 2;
      const Node& left = nodes_[node];
      const std::size_t there = left.key == least ? left.count : 0;
      if (k < there) continue;
      k -= there;
      ++node;
    }
    return static_cast<WorkerId>(static_cast<std::uint32_t>(node - leaves_));
  }

 private:
  struct Node {
    double key = std::numeric_limits<double>::infinity();
    std::uint32_t count = 0;  // of workers with this key; 0: nobody
    friend bool operator==(const Node&, const Node&) = default;
  };

  [[nodiscard]] static Node winner(const Node& a, const Node& b) {
    const double key = b.key < a.key ? b.key : a.key;
    return {key, (a.key == key ? a.count : 0) + (b.key == key ? b.count : 0)};
  }

  void place(WorkerId id, const Node& leaf) {
    std::size_t node = leaves_ + index(id);
    nodes_[node] = leaf;
    while ((node /= 2) > 0) {
      const Node won = winner(nodes_[2 * node], nodes_[2 * node + 1]);
      if (won == nodes_[node]) return;
      nodes_[node] = won;
    }
  }

  std::vector<Node> nodes_;  // [1] is the root, [2n] and [2n + 1] below [n], leaves from leaves_
  std::size_t leaves_ = 0;   // a power of two; 0: no nodes
};

}  // namespace artel::dispatch::detail
