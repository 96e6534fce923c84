#pragma once

#include <cstdint>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::plan {

/// Lets the size of a fleet go by a policy: "hpa(target=0.6, min=2, max=30,
/// start_up=40s)". Keys are those of [pool.scaling] in a scenario; without `max` it is
/// `workers_max`. Of a recorded pool the workers are machines of their own then: they do not steal
/// from each other, and are woken by nobody.
///
/// Errors: how it is written, unknown policies and keys, values out of range; conflicts() of the
///         scenario with workers that come and go. The scenario is as it was then, and `where`
///         empty.
[[nodiscard]] Result<void> scale_fleet(scenario::Scenario& scenario, std::string_view text,
                                       std::uint32_t workers_max);

/// The same for settings that are known; a pool whose size they do not allow gets the nearest.
void set_scaling(scenario::Scenario& scenario, const scenario::ScalingSettings& scaling);

}  // namespace artel::plan
