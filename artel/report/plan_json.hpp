#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "artel/plan/plan_result.hpp"

namespace artel::report {

/// The whole plan as JSON; "schema" names the layout and its version, "artel.plan/1". Times are in
/// seconds; "level" is that of the half-widths, which are null where there is no interval.
/// "settings" holds what is to be pasted for these systems, null without an answer; it is not there
/// if none is asked for. "backtest" is what backtest_json() says, not there without it.
/// Requires: plan::settings_systems() has the systems; `backtest` is JSON, or empty.
[[nodiscard]] std::string plan_json(const plan::PlanResult& plan,
                                    const std::vector<std::string>& systems = {},
                                    std::string_view backtest = {});

}  // namespace artel::report
