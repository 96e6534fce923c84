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
/// any policy; where none does, the last one. Shape: there is a point.
[[nodiscard]] std::size_t point_of_interest(const lab::Study& study,
                                            const lab::ExperimentResult& result);

/// What was simulated: name and value.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> experiment_facts(
    const lab::Study& study, const lab::ExperimentResult& result);

}  // namespace artel::report
