#pragma once

#include <cstdint>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::plan {

/// Lets the size of a recorded fleet go by a policy: "hpa(target=0.6, min=2, max=30,
/// start_up=40s)". Keys are those of [pool.scaling] in a scenario; without `max` it is
/// `workers_max`. The workers are machines of their own then: they do not steal from each other,
/// and are woken by nobody.
///
/// Requires: the scenario is one of a recorded run.
/// Errors: how it is written, unknown policies and keys, values out of range; workers that differ
///         in speed; the closed loop. `where` is empty.
[[nodiscard]] Result<void> scale_fleet(scenario::Scenario& scenario, std::string_view text,
                                       std::uint32_t workers_max);

}  // namespace artel::plan
