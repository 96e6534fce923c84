#pragma once

#include <string>

#include "artel/lab/experiment.hpp"
#include "artel/lab/scenario.hpp"
#include "artel/lab/study.hpp"

namespace artel::report {

/// The whole experiment as JSON; "schema" names the layout and its version, "artel.simulate/1".
/// Times are in seconds; half_width is null where one replication gives no interval.
[[nodiscard]] std::string experiment_json(const lab::Study& study,
                                          const lab::ExperimentResult& result);

}  // namespace artel::report
