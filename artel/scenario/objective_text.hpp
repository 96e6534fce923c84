#pragma once

#include <string>
#include <vector>

#include "artel/scenario/objective.hpp"

namespace artel::scenario {

/// "p99 response", "p99 response of checkout"
[[nodiscard]] std::string objective_name(const Objective& objective);

/// "p99 response <= 4.00 s", "failed <= 0.1%"
[[nodiscard]] std::string objective_text(const Objective& objective);

/// The same for all, joined by "and".
[[nodiscard]] std::string objectives_text(const std::vector<Objective>& objectives);

}  // namespace artel::scenario
