#pragma once

#include <cstdint>

namespace artel::dispatch {

/// What happens to a task for which neither a worker nor the common queue has room.
enum class WhenFull : std::uint8_t {
  block,   ///< backpressure: whoever brings it waits for room, and what follows waits behind it
  reject,  ///< it is refused at once, and counted
};

}  // namespace artel::dispatch
