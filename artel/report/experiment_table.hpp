#pragma once

#include <string>

#include "artel/experiment/run_experiment.hpp"
#include "artel/scenario/study.hpp"

namespace artel::report {

/// The tables of an experiment for the terminal, one per point of the study, each followed by what
/// it is based on. All times of one table are in one unit, named above it.
[[nodiscard]] std::string experiment_table(const scenario::Study& study,
                                           const experiment::ExperimentResult& result);

/// What the tables mean, in sentences: who meets the objectives, and with how little. Empty without
/// objectives.
[[nodiscard]] std::string experiment_answer(const scenario::Study& study,
                                            const experiment::ExperimentResult& result);

}  // namespace artel::report
