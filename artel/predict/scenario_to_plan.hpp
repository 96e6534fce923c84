#pragma once

#include "artel/core/error.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::predict {

/// What a plan for a recorded fleet begins with: its own policy, and one common queue beside it.
/// The recorded tasks are replicated ten times (five, of more than 100 000): they are the same
/// ones, the dice are not. Errors: as scenario::parse_policy_spec().
[[nodiscard]] Result<scenario::Scenario> scenario_to_plan(const Calibration& calibration,
                                                          WorkloadSource source);

}  // namespace artel::predict
