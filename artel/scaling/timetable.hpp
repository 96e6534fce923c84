#pragma once

#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/scaling/fleet_sample.hpp"

namespace artel::scaling {

/// So many workers by the clock. Cost: O(entries). Threads: const and free of state.
struct Timetable {
  /// How many workers there are from a time on.
  struct Entry {
    Duration from{};            ///< the time of its day at which it begins to hold
    std::uint32_t workers = 0;  ///< there are to be
  };
  Duration period = std::chrono::seconds(15);
  Duration day = std::chrono::hours(24);  ///< then it begins anew
  std::vector<Entry> entries{};           ///< in order; the last one holds over midnight

  /// It remembers nothing.
  struct State {};

  /// Requires: an entry.
  [[nodiscard]] std::uint32_t size_for(const FleetSample& sample, dispatch::SizeLimits limits,
                                       State& state) const;
  /// How long the size that holds at a time still holds; kForever: there is but one.
  [[nodiscard]] Duration holds_for(Instant at) const;
};

}  // namespace artel::scaling
