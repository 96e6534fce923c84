#pragma once

#include <cstdint>

namespace artel::scenario {

/// What of an endless workload that the pool cannot keep up with.
enum class Overload : std::uint8_t {
  refuse,  ///< an error, unless the run has an end
  allow,   ///< the pool's size is yet to be found
};

}  // namespace artel::scenario
