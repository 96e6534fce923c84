#pragma once

#include <string>
#include <vector>

#include "artel/plan/plan_result.hpp"
#include "artel/scenario/objective.hpp"

namespace artel::report::detail {

/// "4.21 s", "0.1%"; "-" if nothing was measured.
[[nodiscard]] std::string value_text(const scenario::Objective& objective, double value);

/// The sizes that met the objectives below the row's answer, or below the largest tried.
[[nodiscard]] std::vector<std::string> met_below(const plan::PlanRow& row);

/// ", though 4 and 8 met it"; often empty.
[[nodiscard]] std::string though_smaller_met(const plan::PlanRow& row);

/// Why the row has no answer: which objectives the most workers that were tried miss or are too
/// close to, by what figure, and what more workers cannot change. Requires: the row is complete and
/// has no smallest.
[[nodiscard]] std::string plan_obstacle(const plan::PlanResult& plan, const plan::PlanRow& row);

/// Which stages keep their workers, as only those of [pool] are varied, and how to change them: a
/// line; empty without stages.
[[nodiscard]] std::string fixed_stages(const plan::PlanResult& plan);

}  // namespace artel::report::detail
