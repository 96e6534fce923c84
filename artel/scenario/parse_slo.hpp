#pragma once

#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/scenario/objective.hpp"

namespace artel::scenario {

/// Reads objectives as people write them: "p99<80ms", "mean_wait<5ms, rejected<0.1%".
///
/// One objective: a name of [slo] ("p99_response", "max_wait", "rejected"), or a statistic alone
/// (then of the response; "p99.9" is p999), then < or <= (both allow the limit itself), then a
/// duration with its unit, or for rejected a share ("0.1%", "0.001"). Several are parted by commas.
/// Errors: which part was not understood and what is allowed; `where` is empty.
[[nodiscard]] Result<std::vector<Objective>> parse_slo(std::string_view text);

/// "p99_response" -> p99 of the response, without a limit. Requires: a name of [slo].
[[nodiscard]] Objective objective_named(std::string_view name);

}  // namespace artel::scenario
