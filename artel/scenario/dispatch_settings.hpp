#pragma once

#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/scenario/policy_spec.hpp"

namespace artel::scenario {

/// The policies to compare, and how much whoever decides knows: [dispatch].
struct DispatchSettings {
  std::vector<PolicySpec> policies;
  std::uint32_t dispatchers =
      1;                     ///< each task goes to one of them at random; each keeps its own view
  Duration staleness{};      ///< loads are seen as of the last refresh; 0: always fresh
  Duration network_delay{};  ///< from dispatcher to worker
};

}  // namespace artel::scenario
