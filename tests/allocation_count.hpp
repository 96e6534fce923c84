#pragma once

#include <cstddef>

namespace artel {

/// How often operator new was called by now, for test binaries that allocation_count.cpp is a part
/// of and whose tests run on one thread. Without replacing operator new, which ThreadSanitizer does
/// itself, nothing is counted.
extern const bool kAllocationsCounted;
[[nodiscard]] std::size_t allocation_count();

}  // namespace artel
