#pragma once

#include <string>
#include <vector>

#include "artel/plan/growth.hpp"
#include "artel/plan/plan_result.hpp"

namespace artel::report {

/// What a plan for a recorded fleet has besides, as JSON; what is empty is left out.
struct RecordedJson {
  std::string backtest{};  ///< of backtest_json()
  std::string fleet{};     ///< of fleet_json()
};

/// The whole plan as JSON; "schema" names the layout and its version, "artel.plan/1". Times are in
/// seconds; "level" is that of the half-widths, which are null where there is no interval.
/// "settings" holds what is to be pasted for these systems, null without an answer; it is not there
/// if none is asked for. "backtest" and "fleet" are those of `recorded`.
/// Requires: plan::settings_systems() has the systems.
[[nodiscard]] std::string plan_json(const plan::PlanResult& plan,
                                    const std::vector<std::string>& systems = {},
                                    const RecordedJson& recorded = {});

/// What growth() found, as a JSON array: the objectives and the response time at each rate and
/// length of work, in the shape that trials have in plan_json().
[[nodiscard]] std::string growth_json(const plan::PlanResult& plan,
                                      const std::vector<plan::Growth>& growth);

}  // namespace artel::report
