#pragma once

#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/experiment/replication_job.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/scenario/study.hpp"

namespace artel::experiment {

/// An outcome as JSON, for files and for the way back from other machines; read again it is equal
/// to the last bit. Some 50 kB for 100 000 tasks, nearly all of it the histogram.
[[nodiscard]] std::string outcome_json(const ReplicationOutcome& outcome);
/// Errors: parse, with the member that is not as it should be. Any text will do.
[[nodiscard]] Result<ReplicationOutcome> read_outcome(std::string_view json);

/// All that a stopped experiment knows, as JSON, with version and fingerprint of the study: run
/// from there (ExperimentOptions::resume) it ends as if it had never been stopped.
[[nodiscard]] std::string state_json(const scenario::Study& study, const ExperimentResult& result);
/// Errors: invalid when it is of another study or version; parse as read_outcome.
[[nodiscard]] Result<ExperimentResult> read_state(const scenario::Study& study,
                                                  std::string_view json);

}  // namespace artel::experiment
