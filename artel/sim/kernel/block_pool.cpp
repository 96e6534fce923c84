#include "artel/sim/kernel/block_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace artel::sim {

void BlockPool::grow(std::size_t size_class) {
  const std::size_t bytes = std::max<std::size_t>(size_class, 1) * kLine;
  slabs_.push_back(std::make_unique_for_overwrite<Slab>());
  std::byte* start = slabs_.back()->bytes;
  // From the last to the first, so that blocks are given out in order of address.
  for (std::size_t i = sizeof(Slab) / bytes; i > 0; --i) {
    free_[size_class] = ::new (start + (i - 1) * bytes) Free{free_[size_class]};
  }
}

}  // namespace artel::sim
