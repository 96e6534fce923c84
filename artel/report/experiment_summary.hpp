#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "artel/experiment/run_experiment.hpp"
#include "artel/scenario/study.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::report {

/// What an experiment found, as sentences for people; the first is the answer.
[[nodiscard]] std::vector<std::string> experiment_summary(
    const scenario::Study& study, const experiment::ExperimentResult& result);

/// The point of the study that the answer is about: the smallest that meets the objectives under
/// any policy; where none does, the last one; of a run that was stopped, where most is known.
/// Requires: there is a point.
[[nodiscard]] std::size_t point_of_interest(const scenario::Study& study,
                                            const experiment::ExperimentResult& result);

/// How many replications every policy has; the only one of a policy without chance counts for any
/// number.
[[nodiscard]] std::size_t fewest_replications(const experiment::PointResult& point);

/// Names and values, in the order in which a page shows them.
using Facts = std::vector<std::pair<std::string, std::string>>;

/// What arrives, and how long it takes: name and value.
[[nodiscard]] Facts workload_facts(const scenario::Workload& workload);

/// What was simulated.
[[nodiscard]] Facts experiment_facts(const scenario::Study& study,
                                     const experiment::ExperimentResult& result);

}  // namespace artel::report
