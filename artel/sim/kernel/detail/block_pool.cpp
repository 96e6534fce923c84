#include "artel/sim/kernel/detail/block_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "artel/core/poison.hpp"

namespace artel::sim::detail {

void BlockPool::grow(std::size_t size_class) {
  constexpr std::size_t kPiece = std::size_t{8} << 10U;
  static_assert(kPiece % kLine == 0 && kPiece >= kLargest);
  const std::size_t bytes = std::max<std::size_t>(size_class, 1) * kStep;
  if (fresh_.empty()) fresh_ = slabs_.take();
  const std::span<std::byte> piece = fresh_.first(kPiece / bytes * bytes);
  fresh_ = fresh_.subspan(kPiece);
  // From the last to the first, so that blocks are given out in order of address.
  for (std::size_t at = piece.size(); at > 0; at -= bytes) {
    free_[size_class] = ::new (&piece[at - bytes]) Free{free_[size_class]};
    poison(&piece[at - bytes], bytes);
  }
}

}  // namespace artel::sim::detail
