#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/scenario/study.hpp"

namespace artel::report {

/// The whole experiment as JSON; "schema" names the layout and its version, "artel.simulate/1".
/// Times are in seconds; half_width is null where one replication gives no interval. That of an
/// experiment that was stopped also holds what it takes to go on, under "resume".
[[nodiscard]] std::string experiment_json(const scenario::Study& study,
                                          const experiment::ExperimentResult& result);

/// What a stopped experiment knew, to go on from; nothing where the text is not the JSON of one.
/// Errors: those of experiment::read_state.
[[nodiscard]] Result<std::optional<experiment::ExperimentResult>> resumed_experiment(
    const scenario::Study& study, std::string_view text);

}  // namespace artel::report
