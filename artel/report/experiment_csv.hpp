#pragma once

#include <string>

#include "artel/lab/experiment.hpp"
#include "artel/lab/scenario.hpp"
#include "artel/lab/study.hpp"

namespace artel::report {

/// One line per point and policy, times in seconds, after a line of column names.
/// A half-width is empty where one replication gives no interval.
[[nodiscard]] std::string experiment_csv(const lab::Study& study,
                                         const lab::ExperimentResult& result);

}  // namespace artel::report
