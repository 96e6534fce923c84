#pragma once

#include <cstdint>

#include "artel/dispatch/load.hpp"

namespace artel::dispatch {

/// What a worker brings along.
struct WorkerCapacity {
  std::uint32_t capacity = kUnbounded;  ///< tasks bound to it at most, the running one included
  float weight = 1.0F;                  ///< relative speed or priority
};

}  // namespace artel::dispatch
