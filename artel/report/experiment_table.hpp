#pragma once

#include <string>

#include "artel/lab/experiment.hpp"
#include "artel/lab/scenario.hpp"
#include "artel/lab/study.hpp"

namespace artel::report {

/// The tables of an experiment for the terminal, one per point of the study, each followed by what
/// it is based on. All times of one table are in one unit, named above it.
[[nodiscard]] std::string experiment_table(const lab::Study& study,
                                           const lab::ExperimentResult& result);

/// What the tables mean, in sentences: who meets the objectives, and with how little. Empty without
/// objectives.
[[nodiscard]] std::string experiment_answer(const lab::Study& study,
                                            const lab::ExperimentResult& result);

}  // namespace artel::report
