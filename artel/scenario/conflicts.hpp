#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::scenario {

/// A setting that does not go with others, though each may be as it is.
struct Conflict {
  std::string_view table;  ///< where it is: "dispatch"
  std::string_view key;    ///< of the table: "staleness"
  std::string what;        ///< begins with both, and says with what it does not go
};

/// The settings of a scenario that do not go together: it is refused when it is read with any.
/// Whoever changes one afterwards asks again.
///
/// Cost: O(workers + policies).
[[nodiscard]] std::vector<Conflict> conflicts(const Scenario& scenario);

/// Of these, what keys of a pool miss elsewhere: of the first pool, or of a stage's. Their table is
/// "pool" for both.
///
/// Cost: O(workers + policies).
[[nodiscard]] std::vector<Conflict> pool_conflicts(const Scenario& scenario,
                                                   const PoolSettings& pool);

}  // namespace artel::scenario
