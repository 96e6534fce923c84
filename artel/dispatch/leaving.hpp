#pragma once

#include <cstdint>

namespace artel::dispatch {

/// How a worker leaves.
enum class Leaving : std::uint8_t {
  drain,     ///< it finishes what it has
  reassign,  ///< it finishes the running task; what waits goes to the others
};

}  // namespace artel::dispatch
