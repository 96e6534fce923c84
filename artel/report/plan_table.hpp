#pragma once

#include <string>

#include "artel/plan/plan_result.hpp"

namespace artel::report {

/// The table of a plan for the terminal: what each policy needs, what that gives, and what one
/// worker less would; then what it is based on.
[[nodiscard]] std::string plan_table(const plan::PlanResult& plan);

/// What the table means, in sentences: who needs how many workers, what is too close to call, and
/// what cannot be had.
[[nodiscard]] std::string plan_answer(const plan::PlanResult& plan);

/// The answer as C++: the options of the pool that needs the fewest workers. Empty when there is
/// none.
[[nodiscard]] std::string plan_code(const plan::PlanResult& plan);

}  // namespace artel::report
