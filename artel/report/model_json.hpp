#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/own_models/model_study.hpp"
#include "artel/own_models/run_model_study.hpp"

namespace artel::report {

/// What was measured of a model of the user's own, schema artel.model/1 (docs/own-models.md). Of a
/// study that was stopped, with all that is needed to go on.
[[nodiscard]] std::string model_json(const own_models::ModelStudy& study,
                                     const own_models::ModelResult& result);

/// What an interrupted run of the same study has found, from its JSON; nothing if this is none.
/// Errors: those of own_models::read_model_state.
[[nodiscard]] Result<std::optional<own_models::ModelResult>> resumed_model(
    const own_models::ModelStudy& study, std::string_view text);

/// The same as CSV: a line per point and variant, a column per figure and one for its half-width.
[[nodiscard]] std::string model_csv(const own_models::ModelStudy& study,
                                    const own_models::ModelResult& result);

}  // namespace artel::report
