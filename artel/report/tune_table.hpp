#pragma once

#include <string>

#include "artel/arena/parameter_range.hpp"
#include "artel/arena/tune.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::report {

/// The values that were tried, and then the answer in words.
[[nodiscard]] std::string tune_table(const scenario::Scenario& scenario,
                                     const arena::ParameterRange& range,
                                     const arena::TuneResult& result);

/// The same, schema artel.tune/1; see docs/arena.md.
[[nodiscard]] std::string tune_json(const scenario::Scenario& scenario,
                                    const arena::ParameterRange& range,
                                    const arena::TuneResult& result);

}  // namespace artel::report
