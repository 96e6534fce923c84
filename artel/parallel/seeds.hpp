#pragma once

namespace artel::parallel {

/// What reduce starts from.
template <class T>
struct Seeds {
  T init;        ///< for the chunks; for the items, if there is one chunk only
  T chunk_init;  ///< for the items of each chunk
};

}  // namespace artel::parallel
