#pragma once

#include <cstddef>

namespace artel {

/// How often operator new was called by now, for test binaries that allocation_count.cpp is a part
/// of and whose tests run on one thread.
[[nodiscard]] std::size_t allocation_count();
/// Not under ThreadSanitizer, which has operator new for itself.
[[nodiscard]] bool allocations_counted();

}  // namespace artel
