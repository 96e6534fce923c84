#pragma once

#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/own_models/model_study.hpp"
#include "artel/own_models/run_model_study.hpp"

namespace artel::own_models {

/// All that is known of a model's study, as JSON: run from there (ModelOptions::resume) it ends as
/// if it had never been stopped.
[[nodiscard]] std::string model_state_json(const ModelStudy& study, const ModelResult& result);

/// Errors: invalid when it is of another study (see fingerprint()) or of another version of artel;
/// parse for what is not as it should be. Any text will do.
[[nodiscard]] Result<ModelResult> read_model_state(const ModelStudy& study, std::string_view json);

}  // namespace artel::own_models
