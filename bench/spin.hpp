#pragma once

#include <cstdint>

namespace artel::bench {

/// Burns so many passes of a loop that no compiler shortens.
void spin(std::uint64_t passes);

/// Passes that take one microsecond here; measured once.
[[nodiscard]] std::uint64_t passes_per_us();

}  // namespace artel::bench
