#pragma once

#include <string>

#include "artel/experiment/run_experiment.hpp"
#include "artel/scenario/study.hpp"

namespace artel::report {

/// One line per point and policy, times in seconds, after a line of column names.
/// A half-width is empty where one replication gives no interval.
[[nodiscard]] std::string experiment_csv(const scenario::Study& study,
                                         const experiment::ExperimentResult& result);

}  // namespace artel::report
