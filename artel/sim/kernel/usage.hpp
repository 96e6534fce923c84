#pragma once

#include <cstddef>

#include "artel/core/instant.hpp"

namespace artel::sim {

class Context;
class Level;
class Statistics;
class Tally;

/// What something with a queue tells Statistics of itself, as long as these are there; without them
/// it says nothing. Threads: its simulation's. Cost: O(1).
class Usage {
 public:
  Usage(const Context& clock, Level& utilisation, Level& queue, Tally& wait)
      : clock_(&clock), utilisation_(&utilisation), queue_(&queue), wait_(&wait) {}

  /// What is in use, of all (0 to 1), and how many wait, from now on.
  void set(double utilisation, std::size_t waiting);
  /// The turn of one came, after so long.
  void waited(Duration wait);
  /// The present of the simulation that is watched.
  [[nodiscard]] Instant now() const;

 private:
  friend class Statistics;

  const Context* clock_;  // nullptr: they are gone
  Level* utilisation_;
  Level* queue_;
  Tally* wait_;
};

}  // namespace artel::sim
