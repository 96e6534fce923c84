#pragma once

#include <cstdint>

#include "artel/core/id.hpp"

namespace artel::dispatch {

/// What became of a task that arrived.
struct Placement {
  /// What was done with it.
  enum class Kind : std::uint8_t {
    assigned,  ///< bound to `worker`
    held,      ///< nobody has room: it waits in the common queue
    rejected,  ///< the common queue is full, too
  };
  Kind kind = Kind::rejected;
  WorkerId worker{};
};

}  // namespace artel::dispatch
