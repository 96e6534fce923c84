#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "artel/error/error.hpp"
#include "artel/lab/experiment.hpp"
#include "artel/lab/scenario.hpp"
#include "artel/lab/study.hpp"

namespace artel::report {

/// The whole experiment as JSON; "schema" names the layout and its version, "artel.simulate/1".
/// Times are in seconds; half_width is null where one replication gives no interval. That of an
/// experiment that was stopped also holds what it takes to go on, under "resume".
[[nodiscard]] std::string experiment_json(const lab::Study& study,
                                          const lab::ExperimentResult& result);

/// What a stopped experiment knew, to go on from; nothing where the text is not the JSON of one.
/// Errors: those of lab::read_state.
[[nodiscard]] Result<std::optional<lab::ExperimentResult>> resumed_experiment(
    const lab::Study& study, std::string_view text);

}  // namespace artel::report
