#pragma once

#include <cstdint>

namespace artel::conformance {

/// Where all tasks are that ever arrived.
struct Counts {
  std::uint64_t arrived = 0;    ///< all; the sum of the others
  std::uint64_t held = 0;       ///< in the common queue
  std::uint64_t waiting = 0;    ///< bound to a worker, not started
  std::uint64_t running = 0;    ///< at a worker
  std::uint64_t finished = 0;   ///< their worker has done them
  std::uint64_t rejected = 0;   ///< nobody had room for them
  std::uint64_t abandoned = 0;  ///< running on a worker that was removed by force

  /// Nothing is lost or counted twice.
  [[nodiscard]] bool balanced() const {
    return arrived == held + waiting + running + finished + rejected + abandoned;
  }
  friend bool operator==(const Counts&, const Counts&) = default;
};

}  // namespace artel::conformance
