#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/experiment/model_study.hpp"
#include "artel/experiment/run_model_study.hpp"

namespace artel::report {

/// What was measured of a model of the user's own, schema artel.model/1 (docs/own-models.md). Of a
/// study that was stopped, with all that is needed to go on.
[[nodiscard]] std::string model_json(const experiment::ModelStudy& study,
                                     const experiment::ModelResult& result);

/// What an interrupted run of the same study has found, from its JSON; nothing if this is none.
/// Errors: those of experiment::read_model_state.
[[nodiscard]] Result<std::optional<experiment::ModelResult>> resumed_model(
    const experiment::ModelStudy& study, std::string_view text);

/// The same as CSV: a line per point and variant, a column per figure and one for its half-width.
[[nodiscard]] std::string model_csv(const experiment::ModelStudy& study,
                                    const experiment::ModelResult& result);

}  // namespace artel::report
