#pragma once

#include <string>
#include <vector>

#include "artel/scenario/objective.hpp"

namespace artel::report::detail {

/// "p99 response", "p99 response of checkout"
[[nodiscard]] std::string objective_name(const scenario::Objective& objective);

/// "p99 response <= 4.00 s"
[[nodiscard]] std::string objective_text(const scenario::Objective& objective);

/// The same for all, joined by "and".
[[nodiscard]] std::string objectives_text(const std::vector<scenario::Objective>& objectives);

/// "a", "a and b", "a, b and c".
[[nodiscard]] std::string list_of(const std::vector<std::string>& items);

/// "12.34%"
[[nodiscard]] std::string percent(double share);

}  // namespace artel::report::detail
