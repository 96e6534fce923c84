#pragma once

#include <cstddef>

namespace artel::sync {

/// Two cache lines: processors fetch lines in pairs, so that neighbours on one pair disturb each
/// other. What different threads write lies so far apart.
inline constexpr std::size_t kCacheLinePair = 128;

}  // namespace artel::sync
