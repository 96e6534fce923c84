#pragma once

#include <cstdint>

namespace artel::sim {

/// Which of several waits that are ready at the same time wins.
enum class Tie : std::uint8_t {
  first,  ///< the one that comes first in the list
  drawn,  ///< one of them, each as likely, drawn from the simulation's seed
};

}  // namespace artel::sim
