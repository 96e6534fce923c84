#pragma once

#include <cstdint>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::plan {

/// Multiplies how often tasks arrive, or sets how many arrive per second on average: "x1.5",
/// "300/s". Errors: says what was found and what is allowed.
[[nodiscard]] Result<void> change_rate(scenario::Scenario& scenario, std::string_view change);

/// Gives the pool so many workers, of the kinds that it has, in the same mix. Requires: 1 <=
/// workers.
void change_workers(scenario::Scenario& scenario, std::uint32_t workers);

}  // namespace artel::plan
