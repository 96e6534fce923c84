#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/plan/plan_result.hpp"

namespace artel::plan {

/// The systems that settings can be written for: "nginx", "kubernetes-hpa", …
[[nodiscard]] std::vector<std::string_view> settings_systems();

/// The same for people: a line each, with the version that its keys were checked for.
[[nodiscard]] std::string settings_systems_text();

/// What a system has to be told to work as the plan says: a block to paste into its configuration.
///
/// It is for the row that needs the fewest workers of those whose policy and bounds the system has.
/// Comments say the version that the keys were checked for, what the system does not have, and what
/// of the plan the block does not hold. Where the system has no policy of the plan, the block is
/// comments alone: the plan's number of workers does not hold for another policy. Addresses and
/// names of programs are examples.
/// Errors: not_found: an unknown system, or a plan without an answer.
[[nodiscard]] Result<std::string> settings_to_paste(const PlanResult& plan,
                                                    std::string_view system);

}  // namespace artel::plan
