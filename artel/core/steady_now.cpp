#include "artel/core/steady_now.hpp"

#include <chrono>

#include "artel/core/instant.hpp"

namespace artel {

Instant steady_now() {
  return Instant{
      std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch())};
}

Duration wall_now() {
  return std::chrono::duration_cast<Duration>(std::chrono::system_clock::now().time_since_epoch());
}

}  // namespace artel
