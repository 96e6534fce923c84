#pragma once

#include <string>

#include "artel/plan/plan_result.hpp"

namespace artel::report {

/// The whole plan as JSON; "schema" names the layout and its version, "artel.plan/1". Times are in
/// seconds; "level" is that of the half-widths, which are null where there is no interval.
[[nodiscard]] std::string plan_json(const plan::PlanResult& plan);

}  // namespace artel::report
