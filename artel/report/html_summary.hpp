#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "artel/lab/experiment.hpp"
#include "artel/lab/scenario.hpp"
#include "artel/lab/study.hpp"

namespace artel::report {

/// What an experiment found, as sentences for people; the first is the answer.
[[nodiscard]] std::vector<std::string> experiment_summary(const lab::Study& study,
                                                          const lab::ExperimentResult& result);

/// The point of the study that the answer is about: the smallest that meets the objectives under
/// any policy; where none does, the last one; of a run that was stopped, where most is known.
/// Shape: there is a point.
[[nodiscard]] std::size_t point_of_interest(const lab::Study& study,
                                            const lab::ExperimentResult& result);

using Facts = std::vector<std::pair<std::string, std::string>>;

/// What arrives, and how long it takes: name and value.
[[nodiscard]] Facts workload_facts(const lab::Workload& workload);

/// What was simulated.
[[nodiscard]] Facts experiment_facts(const lab::Study& study, const lab::ExperimentResult& result);

}  // namespace artel::report
