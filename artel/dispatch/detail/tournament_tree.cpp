#include "artel/dispatch/detail/tournament_tree.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace artel::dispatch::detail {

void TournamentTree::resize(std::size_t workers) {
  if (workers <= leaves_) return;
  const std::size_t leaves = std::bit_ceil(workers);
  std::vector<Node> nodes(2 * leaves);
  if (leaves_ > 0)
    std::copy_n(nodes_.begin() + static_cast<std::ptrdiff_t>(leaves_), leaves_,
                nodes.begin() + static_cast<std::ptrdiff_t>(leaves));
  for (std::size_t node = leaves; --node > 0;)
    nodes[node] = winner(nodes[2 * node], nodes[2 * node + 1]);
  nodes_ = std::move(nodes);
  leaves_ = leaves;
}

}  // namespace artel::dispatch::detail
