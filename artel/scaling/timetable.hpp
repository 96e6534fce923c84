#pragma once

#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/scaling/fleet_sample.hpp"

namespace artel::scaling {

/// So many workers by the clock. Cost: O(entries). Threads: const and free of state.
struct Timetable {
  struct Entry {
    Duration from{};  ///< the time of its day at which it begins to hold
    std::uint32_t workers = 0;
  };
  Duration period = std::chrono::seconds(15);
  Duration day = std::chrono::hours(24);  ///< then it begins anew
  std::vector<Entry> entries{};           ///< in order; the last one holds over midnight

  struct State {};

  /// Requires: an entry.
  [[nodiscard]] std::uint32_t size_for(const FleetSample& sample, dispatch::SizeLimits limits,
                                       State& state) const;
};

}  // namespace artel::scaling
