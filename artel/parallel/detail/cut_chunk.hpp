#pragma once

#include <cstddef>
#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::parallel::detail {

/// Items that were cut from a source to be worked on together.
template <class Items>
struct CutChunk {
  std::uint64_t index = 0;  ///< of the chunk
  std::uint64_t first = 0;  ///< of its first item
  std::size_t size = 0;     ///< items it was cut with
  Items items{};
  Instant begun{};  ///< when cutting began
};

}  // namespace artel::parallel::detail
